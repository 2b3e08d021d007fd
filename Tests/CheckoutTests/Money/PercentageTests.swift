// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation
import Testing

@Suite struct `Percentages` {
  @Test(arguments: [
    (Decimal(10), 1_995, 200), (Decimal(10), 1_994, 199), (Decimal(10), -1_995, -200),
    (Decimal(0), 1_995, 0), (Decimal(100), 1_995, 1_995), (Decimal(50), 1, 1),
    (Decimal(100), Int64.max, Int64.max), (Decimal(100), Int64.min, Int64.min),
    (Decimal(50), Int64.min, Int64.min / 2),
  ])
  func `a percentage of an amount rounds half away from zero`(
    percent: Decimal, of: Int64, result: Int64
  ) throws {
    let part = try Percentage(percent).of(Money(minorUnits: of, .usd))
    #expect(part == Money(minorUnits: result, .usd))
  }

  @Test func `Percentage.contained computes the tax that a gross amount includes`() throws {
    #expect(try Percentage(19).contained(in: Money("119.00 EUR")) == Money("19.00 EUR"))
    #expect(try Percentage(7).contained(in: Money("1.00 EUR")) == Money("0.07 EUR"))
  }

  @Test func `a percentage must be from 0 to 100 and have at most three decimals`() throws {
    let percentage = try JSONDecoder().decode(Percentage.self, from: Data("8.875".utf8))
    #expect(percentage.thousandths == 8_875)
    #expect(percentage.description == "8.875%")
    for text in ["8.8751", "-1", "100.001", "1e30", "1e127", "1e-127", "NaN"] {
      let percent = text == "NaN" ? Decimal.nan : try #require(Decimal(string: text))
      #expect(throws: MoneyError.self, "\(text)") { try Percentage(percent) }
    }
    let zeros = try #require(Decimal(string: "8.8750000000000000000000000000"))
    #expect(try Percentage(zeros).thousandths == 8_875)
    for (thousandths, text) in [(Int64(-1), "-0.001"), (100_001, "100.001")] {
      #expect(throws: MoneyError.unreadablePercentage(text)) {
        try Percentage(thousandths: thousandths)
      }
    }
    #expect(try Percentage(thousandths: 0) == Percentage(0))
    #expect(try Percentage(thousandths: 100_000) == Percentage(100))
  }

  @Test func `percentages are ordered by size`() throws {
    let (seven, more) = (try Percentage(7), try Percentage(thousandths: 7_001))
    #expect(seven < more && !(more < seven) && !(seven < seven))
  }

  @Test func `percentages agree with Decimal arithmetic`() throws {
    for _ in 0..<1_000 {
      let amount = Int64.random(in: -1_000_000_000...1_000_000_000)
      let thousandths = Int64.random(in: 0...100_000)
      var exact = Decimal(amount) * Decimal(thousandths) / 100_000
      var rounded = Decimal()
      NSDecimalRound(&rounded, &exact, 0, .plain)
      let part = try Percentage(thousandths: thousandths).of(Money(minorUnits: amount, .usd))
      #expect(Decimal(part.minorUnits) == rounded, "\(thousandths) of \(amount)")
    }
  }
}
