// SPDX-License-Identifier: Apache-2.0

import Checkout
import Testing

@Suite struct `Shipping terms` {
  private func delivery(_ minimum: Int, _ maximum: Int) throws -> Delivery {
    let terms = ShippingTerms(
      cutoff: try LocalTime("14:00"), processingDays: 0, minimumTransitDays: minimum,
      maximumTransitDays: maximum)
    return try terms.delivery(in: .utc)
  }

  @Test(arguments: [(3, 2, 0...2), (1, 0, 0...0), (-1, 4, 0...4), (-1, -2, 0...0)])
  func `shipping terms with negative or reversed transit days are refused`(
    minimum: Int, maximum: Int, range: ClosedRange<Int>
  ) {
    #expect(throws: CalendarError.outOfRange(minimum, range)) { try delivery(minimum, maximum) }
  }

  @Test(arguments: [(0, 0), (2, 2), (0, 365)])
  func `a delivery takes the minimum to maximum transit days set in the shipping terms`(
    minimum: Int, maximum: Int
  ) throws {
    #expect(try delivery(minimum, maximum).transitDays == minimum...maximum)
  }

  @Test func `Saturday and Sunday aren't business days by default`() throws {
    let calendar = try delivery(0, 0).shipping.calendar
    let saturday = try LocalDate("2026-11-28")
    let days = (0..<7).map { calendar.isBusinessDay(saturday.adding(days: $0)) }
    #expect(days == [false, false, true, true, true, true, true])
  }
}
