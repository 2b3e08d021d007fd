// SPDX-License-Identifier: Apache-2.0

import Checkout
import Testing

@Suite struct `Product SKUs` {
  @Test func `SKUs are ordered by their text`() {
    let skus: [SKU] = ["mug", "coffee", "Mug", "mug2"]
    #expect(skus.sorted() == ["Mug", "coffee", "mug", "mug2"])
    #expect(!(SKU("mug") < SKU("mug")))
  }
}
