// SPDX-License-Identifier: Apache-2.0

import Checkout
import Testing

@Suite struct `A product's SKU` {
  @Test func `is ordered by its text`() {
    let skus: [SKU] = ["mug", "coffee", "Mug", "mug2"]
    #expect(skus.sorted() == ["Mug", "coffee", "mug", "mug2"])
    #expect(!(SKU("mug") < SKU("mug")))
  }
}
