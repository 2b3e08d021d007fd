// SPDX-License-Identifier: Apache-2.0

import Checkout

/// The goods and the coupon of the example shop that `checkout` buys if no others are named.
enum ExampleBasket {
  static let coupon = "WELCOME10"

  static func lines() throws(CheckoutError) -> [BasketLine] {
    [try BasketLine("coffee", 2), try BasketLine("mug")]
  }
}
