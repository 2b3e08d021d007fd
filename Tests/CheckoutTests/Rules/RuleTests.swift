import Ambient
import AmbientTesting
import Checkout
import Testing

@Suite(.frozen(at: "2027-02-28T12:00:00Z")) struct `Rules over days` {
  @Test func `count a birthday on 29 February by the policy that is chosen`() throws {
    let born = try LocalDate("2008-02-29")
    #expect(try !AgeLimit(years: 19).admits(born: born, in: .utc))
    #expect(try AgeLimit(years: 19, leapDay: .lastOfFebruary).admits(born: born, in: .utc))
  }

  @Test(arguments: [-1, 151, .max, .min])
  func `refuse ages that nobody has`(years: Int) {
    #expect(throws: CalendarError.outOfRange(years, 0...150)) { try AgeLimit(years: years) }
  }

  @Test func `refuse more days and months than a shop can mean`() throws {
    let calendar = try BusinessCalendar()
    let shipping = ShippingCalendar(
      cutoff: try LocalTime("14:00"), calendar: calendar, zone: .utc)
    let anchor = try LocalDate("2026-01-31")
    #expect(throws: CalendarError.outOfRange(366, 0...365)) {
      try Delivery(shipping: shipping, processingDays: 366, transitDays: 0...1)
    }
    #expect(throws: CalendarError.outOfRange(.max, 0...365)) {
      try Delivery(shipping: shipping, processingDays: 1, transitDays: 0...Int.max)
    }
    #expect(throws: CalendarError.outOfRange(.max, 0...365)) {
      try WithdrawalRight(days: .max, calendar: calendar, zone: .utc)
    }
    #expect(throws: CalendarError.outOfRange(0, 1...120)) {
      try BillingSchedule(anchor: anchor, stepMonths: 0)
    }
    #expect(throws: CalendarError.outOfRange(.max, 0...1_200)) {
      try BillingSchedule(anchor: anchor).dates(.max)
    }
  }
}
