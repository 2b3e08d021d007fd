// SPDX-License-Identifier: Apache-2.0

import Checkout
import Testing

@Suite struct `The catalogue` {
  @Test(arguments: [
    ("cofee", "coffee"), ("COFFEE", "coffee"), ("mgu", "mug"), ("grindr", "grinder"),
    ("coxxee", "coffee"),
  ])
  func `names what may have been meant`(typed: String, meant: String) throws {
    let catalogue = try Shop.example().catalogue
    #expect(throws: CheckoutError.unknownSKU(SKU(typed), nearest: SKU(meant))) {
      try catalogue.product(SKU(typed))
    }
  }

  @Test(arguments: [
    "", "bicycle", "cof", "muggle", "coxxxe", "moo", String(repeating: "coffee", count: 100),
  ])
  func `names nothing that is far`(typed: String) throws {
    let catalogue = try Shop.example().catalogue
    #expect(throws: CheckoutError.unknownSKU(SKU(typed), nearest: nil)) {
      try catalogue.product(SKU(typed))
    }
  }
}
