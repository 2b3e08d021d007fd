// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.isolatedAmbients) struct `Time windows` {
  @Test func `a time window that ends before it starts is refused`() throws {
    let start = try Date(iso8601: "2026-01-02T00:00:00Z")
    let end = try Date(iso8601: "2026-01-01T00:00:00Z")
    #expect(throws: CalendarError.endsBeforeItStarts(start: start, end: end)) {
      try Window(start: start, end: end)
    }
    #expect(throws: CalendarError.self) {
      try Window(firstDay: LocalDate("2026-01-03"), lastDay: LocalDate("2026-01-01"), in: .utc)
    }
  }

  @Test func `a time window includes its start and excludes its end`() throws {
    let start = try Date(iso8601: "2026-01-01T00:00:00Z")
    let window = try Window(start: start, end: start.addingTimeInterval(60))
    #expect(!window.contains(start.addingTimeInterval(-0.001)))
    #expect(window.contains(start))
    #expect(window.contains(start.addingTimeInterval(59.999)))
    #expect(!window.contains(start.addingTimeInterval(60)))
    #expect(try Window().contains(start))
  }

  @Test func `a daily window can span midnight`() throws {
    let zone = try Zone("America/New_York")
    let window = try DailyWindow(from: LocalTime("22:00"), to: LocalTime("02:00"))
    func contains(_ text: String) throws -> Bool {
      window.contains(try Date(iso8601: text), in: zone)
    }
    #expect(try !contains("2026-06-01T21:59:59-04:00"))
    #expect(try contains("2026-06-01T22:00:00-04:00"))
    #expect(try contains("2026-06-02T01:59:59-04:00"))
    #expect(try !contains("2026-06-02T02:00:00-04:00"))
    #expect(throws: CalendarError.emptyHours(.midnight)) {
      try DailyWindow(from: .midnight, to: .midnight)
    }
  }

  @Test func `a daily window or opening hours from 24h to 0h are refused as empty`() throws {
    let end = try LocalTime("24:00")
    #expect(throws: CalendarError.emptyHours(end)) { try DailyWindow(from: end, to: .midnight) }
    #expect(throws: CalendarError.emptyHours(end)) { try OpeningHours(open: end, close: .midnight) }
    let night = try OpeningHours(open: end, close: LocalTime("05:00"))
    #expect(try night.contains(Date(iso8601: "2026-06-01T04:59:59Z"), in: Zone("UTC")))
  }

  @Test func `when the clocks go back over a daily window's end, the window stays closed`() throws {
    // At 00:01 on 7 November, the clocks went back to 23:01 on the day before.
    let zone = try Zone("America/St_Johns")
    let window = try DailyWindow(from: LocalTime("22:00"), to: .midnight)
    func contains(_ text: String) throws -> Bool {
      window.contains(try Date(iso8601: text), in: zone)
    }
    #expect(try !contains("2010-11-06T21:59:59-02:30"))
    #expect(try contains("2010-11-06T22:00:00-02:30"))
    #expect(try contains("2010-11-06T23:59:59-02:30"))
    #expect(try !contains("2010-11-07T00:00:00-02:30"))
    #expect(try !contains("2010-11-06T23:01:00-03:30"))
    #expect(try !contains("2010-11-06T23:59:59-03:30"))
    #expect(try !contains("2010-11-07T00:00:00-03:30"))
    #expect(try contains("2010-11-07T22:00:00-03:30"))
  }

  @Test func `when the clocks repeat an hour, daily windows and opening hours apply in both hours`()
    throws
  {
    let zone = try Zone("America/New_York")
    let window = try DailyWindow(from: LocalTime("01:00"), to: LocalTime("02:00"))
    let hours = try OpeningHours(open: LocalTime("01:00"), close: LocalTime("01:30"))
    let first = try Date(iso8601: "2026-11-01T01:45:00-04:00")
    let second = try Date(iso8601: "2026-11-01T01:15:00-05:00")
    #expect(window.contains(first, in: zone) && window.contains(second, in: zone))
    #expect(!hours.contains(first, in: zone) && hours.contains(second, in: zone))
  }

  @Test func `a Moment is read from a date, a local time or an instant`() throws {
    let zone = try Zone("America/New_York")
    let midnight = try Date(iso8601: "2026-11-27T05:00:00Z")
    for text in ["2026-11-27", "2026-11-27T00:00", "2026-11-27T06:00:00+01:00"] {
      let moment = try Moment(text)
      #expect(moment.instant(in: zone) == midnight)
      #expect(try Moment("\(moment)") == moment)
    }
    for text in ["2026-11-31", "2026-11-27T25:00", "soon", "12:00", "2026-11-27T00:00-99"] {
      #expect(throws: CalendarError.impossibleMoment(text)) { try Moment(text) }
    }
  }

  // In a process of its own: an index beyond the text traps.
  @Test func `a Moment whose text begins or ends with T is refused`() async {
    await #expect(processExitsWith: .success) {
      for text in ["2026-11-27T", "T", "T09:30"] {
        #expect(throws: CalendarError.impossibleMoment(text)) { try Moment(text) }
      }
    }
  }

  @Test func `a time window of one day is accepted, and an empty time window is refused`() throws {
    let day = try LocalDate("2026-01-01")
    let window = try Window(firstDay: day, lastDay: day, in: .utc)
    #expect(
      try window
        == Window(
          start: Date(iso8601: "2026-01-01T00:00:00Z"), end: Date(iso8601: "2026-01-02T00:00:00Z")))
    let start = Zone.utc.firstInstant(of: day)
    #expect(throws: CalendarError.emptyWindow(start)) { try Window(start: start, end: start) }
    let calendar = try BusinessCalendar()
    for count in [-1, 0] { #expect(calendar.businessDay(count, after: day) == day) }
    #expect(calendar.businessDay(1, after: day).description == "2026-01-02")
    #expect(calendar.businessDay(2, after: day).description == "2026-01-05")
  }

  @Test func `a Lifetime ends exactly to the millisecond`() throws {
    // 2^30 seconds after 2001, where a Date loses a bit of its fraction.
    for tenth in 1...9 {
      let start = Date(timeIntervalSinceReferenceDate: 1_073_741_374 + Double(tenth) / 10)
      let end = Date(timeIntervalSinceReferenceDate: 1_073_742_274 + Double(tenth) / 10)
      let lifetime = Lifetime(since: start, lasting: .seconds(900))
      Time.instance = FixedTime(at: end)
      #expect(!lifetime.isAlive)
      Time.instance = FixedTime(at: end.addingTimeInterval(-0.001))
      #expect(lifetime.isAlive)
    }
  }

  @Test func `elapsed time is clamped for dates beyond the calendar`() {
    let far = Date(timeIntervalSince1970: 1e30)
    #expect(Lifetime.elapsed(since: far) == .seconds(-1_000_000_000_000))
    #expect(!Lifetime(since: Date(timeIntervalSince1970: -1e30), lasting: .seconds(900)).isAlive)
  }

  @Test func `a week without a business day is refused`() {
    #expect(throws: CalendarError.noBusinessDay) {
      try BusinessCalendar(daysOff: Set(Weekday.allCases))
    }
  }
}
