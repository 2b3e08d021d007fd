// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Testing

@Suite struct `Money errors` {
  @Test func `a money error shows the invalid input and the expected format`() {
    let texts: [(MoneyError, String)] = [
      (.overflow, "the amount is too large to be counted; use smaller quantities or prices"),
      (.differentCurrencies(.usd, .eur), "USD and EUR cannot be added; keep to one currency"),
      (.unknownCurrency("x"), "“x” is no currency; write a code of ISO 4217, as USD"),
      (
        .unreadableAmount("x"),
        "“x” is no amount; write a number with a point and its currency, as 4.50 USD"
      ),
      (
        .unreadablePercentage("x"),
        "“x” is no percentage; write 0 to 100 with at most three decimals, as 8.875"
      ),
    ]
    for (error, text) in texts { #expect(error.description == text) }
  }
}
