// SPDX-License-Identifier: Apache-2.0

import Checkout
import Testing

@Suite struct `Catalogue suggestions` {
  @Test(arguments: [
    ("cofee", "coffee"), ("COFFEE", "coffee"), ("mgu", "mug"), ("grindr", "grinder"),
    ("coxxee", "coffee"),
  ])
  func `an unknown product error suggests a similar product`(typed: String, meant: String) throws {
    let catalogue = try Shop.example().catalogue
    #expect(throws: CheckoutError.unknownSKU(SKU(typed), nearest: SKU(meant))) {
      try catalogue.product(SKU(typed))
    }
  }

  @Test(arguments: [
    "", "bicycle", "cof", "muggle", "coxxxe", "moo", String(repeating: "coffee", count: 100),
  ])
  func `an unknown product error suggests nothing if no product is similar`(typed: String) throws {
    let catalogue = try Shop.example().catalogue
    #expect(throws: CheckoutError.unknownSKU(SKU(typed), nearest: nil)) {
      try catalogue.product(SKU(typed))
    }
  }
}
