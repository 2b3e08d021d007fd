import Checkout
import Foundation
import Testing

@Suite struct `Local dates and times` {
  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-4-1", "26-04-01", "2026-04-01 ",
    "", "2026/04/01", "0000-01-01", "１２３４-01-01",
  ])
  func `an impossible date is refused`(text: String) {
    #expect(throws: CalendarError.impossibleDate(text)) { try LocalDate(text) }
  }

  @Test(arguments: ["24:01", "25:00", "9:30", "09:60", "09:30:60", "09", "09:30Z", ""])
  func `an impossible time is refused`(text: String) {
    #expect(throws: CalendarError.impossibleTime(text)) { try LocalTime(text) }
  }

  @Test(arguments: ["00:00", "09:30", "23:59:59", "24:00"])
  func `a time is written as it was read`(text: String) throws {
    #expect(try LocalTime(text).description == text)
  }

  @Test func `months are clamped to their last day`() throws {
    let date = try LocalDate("2024-01-31")
    #expect(date.adding(months: 1) == (try LocalDate("2024-02-29")))
    #expect(date.adding(months: 13) == (try LocalDate("2025-02-28")))
    #expect(date.adding(months: -2) == (try LocalDate("2023-11-30")))
    #expect(date.adding(months: 12) == (try LocalDate("2025-01-31")))
  }

  @Test(arguments: [
    ("2026-12-31", "2026-W53"), ("0885-02-05", "0885-W06"), ("0001-01-01", "0001-W01"),
  ])
  func `a week is written with four digits of its year`(date: String, week: String) throws {
    #expect(try LocalDate(date).isoWeek.description == week)
  }

  @Test func `weeks and weekdays agree with Foundation for 800 years`() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    var day = try LocalDate("1600-01-01")
    let last = try LocalDate("2400-01-01")
    while day < last {
      let date = Zone.utc.firstInstant(of: day)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday, .weekOfYear, .yearForWeekOfYear], from: date)
      #expect(parts.day == day.day && parts.month == day.month && parts.year == day.year)
      #expect(parts.weekday == day.weekday.number % 7 + 1)
      #expect(parts.weekOfYear == day.isoWeek.week, "\(day)")
      #expect(parts.yearForWeekOfYear == day.isoWeek.year, "\(day)")
      day = day.adding(days: 17)
    }
  }
}
