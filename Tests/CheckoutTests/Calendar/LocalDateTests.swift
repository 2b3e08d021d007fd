// SPDX-License-Identifier: Apache-2.0

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

  @Test(arguments: [
    (0, 12, 31), (10_000, 1, 1), (-1, 1, 1), (.max, 1, 1), (.min, 1, 1), (2026, 0, 1),
    (2026, 13, 1), (2026, 2, 29), (2026, 1, 0), (2026, 12, 32),
  ])
  func `a date outside the years 1 to 9999 or with a day not in the month is refused`(
    _ year: Int, _ month: Int, _ day: Int
  ) {
    #expect(throws: CalendarError.impossibleDate("\(year)-\(month)-\(day)")) {
      try LocalDate(year: year, month: month, day: day)
    }
  }

  @Test func `a day outside years 1 to 9999 can be computed and printed, but not parsed`() throws {
    let last = try LocalDate(year: 9999, month: 12, day: 31)
    #expect(last.isInCalendar && last.weekday == .friday)
    let next = last.adding(days: 1)
    #expect(!next.isInCalendar && next > last && next.weekday == .saturday)
    #expect(next.description == "10000-01-01" && next.adding(days: -1) == last)
    #expect(throws: CalendarError.impossibleDate("10000-01-01")) { try LocalDate("10000-01-01") }
    #expect(last.adding(months: 2).description == "10000-02-29")
    let before = try LocalDate(year: 1, month: 1, day: 1).adding(days: -1)
    #expect(!before.isInCalendar && before.adding(months: 1).isInCalendar)
    #expect(before.description == "0000-12-31")
    #expect(before.adding(months: -12 * 5).description == "-0005-12-31")
    #expect(before.adding(months: -12).description == "-0001-12-31")
    #expect(before.adding(months: -23).description == "-0001-01-31")
    #expect(before.adding(months: -24).description == "-0002-12-31")
    #expect(before.adding(months: -11).description == "0000-01-31")
  }

  @Test(arguments: ["24:01", "24:00:01", "25:00", "9:30", "09:60", "09:30:60", "09", "09:30Z", ""])
  func `an impossible time is refused`(text: String) {
    #expect(throws: CalendarError.impossibleTime(text)) { try LocalTime(text) }
  }

  @Test(arguments: [
    "00:00", "09:30", "23:59:59", "24:00", "10:10:10", "09:09:09", "00:00:01", "00:01", "01:00",
  ])
  func `reading a local time and writing it gives the same text`(text: String) throws {
    #expect(try LocalTime(text).description == text)
  }

  @Test func `adding months clamps to the last day of the month`() throws {
    let date = try LocalDate("2024-01-31")
    #expect(date.adding(months: 1) == (try LocalDate("2024-02-29")))
    #expect(date.adding(months: 13) == (try LocalDate("2025-02-28")))
    #expect(date.adding(months: -2) == (try LocalDate("2023-11-30")))
    #expect(date.adding(months: 12) == (try LocalDate("2025-01-31")))
  }

  @Test(arguments: [
    ("2026-12-31", "2026-W53"), ("0885-02-05", "0885-W06"), ("0001-01-01", "0001-W01"),
  ])
  func `an ISO week is written with a year of four digits`(date: String, week: String) throws {
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
