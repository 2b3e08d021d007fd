// SPDX-License-Identifier: Apache-2.0

import Checkout
import Testing

@Suite struct `Money amounts` {
  @Test(arguments: [
    ("4.50 USD", 450), ("4.5 USD", 450), ("4 USD", 400), ("-0.05 EUR", -5), ("450 JPY", 450),
    ("9 UYI", 9), ("1.234 KWD", 1_234), ("1.2345 CLF", 12_345), ("0.5 ZAZ", 50),
    ("92233720368547758.07 USD", Int64.max), ("-92233720368547758.08 USD", Int64.min),
  ])
  func `Money parses an amount from text into minor units`(text: String, minorUnits: Int64) throws {
    #expect(try Money(text).minorUnits == minorUnits)
  }

  @Test(arguments: [
    "0.00 USD", "4.50 USD", "-0.05 EUR", "-10.00 EUR", "450 JPY", "0 JPY", "1.234 KWD", "0.001 KWD",
    "1.0000 CLF",
  ])
  func `reading a money amount and writing it gives the same text`(text: String) throws {
    #expect(try Money(text).description == text)
  }

  @Test(arguments: [
    "", "USD", "4.50", "4.50USD", "4.505 USD", "4. USD", ".5 USD", "1,000.00 USD", "4.5  USD",
    "+4 USD", "--4 USD", "4.5 JPY", "٤ USD", "1e3 USD", "4.5.6 USD", "4..5 USD", "4.5. USD",
    "-.5 USD", "- USD", " 4.5 USD", "4.5 USD ", "1.23456 CLF",
  ])
  func `an invalid money amount is refused`(text: String) {
    #expect(throws: MoneyError.unreadableAmount(text)) { try Money(text) }
  }

  @Test(arguments: ["usd", "US", "DOLLAR", "U$D", "ÜSD", "US@", "US["])
  func `an invalid currency code is refused`(code: String) {
    #expect(throws: MoneyError.unknownCurrency(code)) { try Money("1 \(code)") }
  }

  @Test func `a money amount that overflows throws an error instead of trapping`() throws {
    let most = Money(minorUnits: .max, .usd)
    let one = Money(minorUnits: 1, .usd)
    #expect(throws: MoneyError.overflow) { try most.adding(one) }
    #expect(throws: MoneyError.overflow) { try Money(minorUnits: .min, .usd).subtracting(one) }
    #expect(throws: MoneyError.overflow) { try most.multiplied(by: 2) }
    #expect(throws: MoneyError.overflow) { try Money("92233720368547758.08 USD") }
  }

  @Test func `amounts in two currencies cannot be added`() throws {
    let error = MoneyError.differentCurrencies(.usd, .eur)
    let dollar = Money(minorUnits: 100, .usd)
    let euro = Money(minorUnits: 100, .eur)
    #expect(throws: error) { try dollar.adding(euro) }
    #expect(throws: error) { try dollar.subtracting(euro) }
    #expect(throws: error) { try dollar.capped(at: euro) }
  }

  @Test func `Money.value is the amount in whole units, such as dollars`() throws {
    #expect(try Money("19.99 USD").value == 19.99)
    #expect(try Money("450 JPY").value == 450)
    #expect(try Money("1.234 KWD").value == 1.234)
    #expect(try Money("1.2345 CLF").value == 1.2345)
  }
}
