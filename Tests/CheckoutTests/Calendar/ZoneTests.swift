// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation
import TestSupport
import Testing

@Suite struct `Time zones` {
  @Test(arguments: [
    // A gap moves forward by its length, an overlap takes the earlier offset.
    ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
    ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
    ("America/New_York", "2026-03-08T02:00", "2026-03-08T03:00:00-04:00"),
    ("America/New_York", "2026-11-01T01:30", "2026-11-01T01:30:00-04:00"),
    ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:45:00+11:00"),
    ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-05T01:45:00+11:00"),
    ("Pacific/Apia", "2011-12-30T12:00", "2011-12-31T12:00:00+14:00"),
    ("Asia/Kolkata", "2026-01-01T24:00", "2026-01-02T00:00:00+05:30"),
    ("Asia/Kathmandu", "1965-07-01T09:00:07", "1965-07-01T09:00:07+05:30"),
  ])
  func `a local time converts to an instant even if the clocks skip or repeat it`(
    zone: String, local: String, instant: String
  ) throws {
    #expect(
      try Zone(zone).instant(of: LocalDateTime(local)) == Date(iso8601: instant))
  }

  @Test(arguments: [
    ("Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00"),
    ("America/Havana", "2026-03-08", "2026-03-08T01:00:00-04:00"),
    ("America/Toronto", "1919-03-31", "1919-03-31T00:30:00-04:00"),
    ("America/Asuncion", "2024-03-24", "2024-03-24T00:00:00-04:00"),
    ("Pacific/Apia", "2011-12-30", "2011-12-31T00:00:00+14:00"),
    ("Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00Z"),
    ("UTC", "1969-12-31", "1969-12-31T00:00:00Z"),
  ])
  func `a local date has a first instant even if the clocks skip its midnight`(
    zone: String, day: String, instant: String
  ) throws {
    let first = try Zone(zone).firstInstant(of: LocalDate(day))
    #expect(try first == Date(iso8601: instant), "\(first.iso8601())")
  }

  @Test(
    .withoutSanitizer,
    arguments: ["America/New_York", "Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe"])
  func `over ten years, each local time converts back to the first instant that shows it`(
    name: String
  ) throws {
    let zone = try Zone(name)
    var instant = try Date(iso8601: "2020-01-01T00:00:00Z")
    let end = try Date(iso8601: "2030-01-01T00:00:00Z")
    var doubled = 0
    while instant < end {
      let local = zone.local(instant)
      let found = zone.instant(of: local)
      #expect(zone.local(found) == local)
      // Only the second of two equal wall times is not found again.
      if found != instant {
        doubled += 1
        #expect(found < instant && instant.timeIntervalSince(found) <= 3_600)
      }
      instant.addTimeInterval(1_800)
    }
    #expect(doubled > 0)
  }

  @Test(arguments: [Double.nan, -.infinity, -1e300, .infinity, 1e300])
  func `an instant beyond the supported years gets a local date beyond those years`(seconds: Double)
  {
    let year = Zone.utc.local(Date(timeIntervalSince1970: seconds)).date.year
    #expect(year < -9_999 || year > 9_999)
  }

  @Test(arguments: [
    (-86_401, "1969-12-30T23:59:59"), (-86_400, "1969-12-31T00:00"), (-1, "1969-12-31T23:59:59"),
    (0, "1970-01-01T00:00"), (1, "1970-01-01T00:00:01"), (86_400, "1970-01-02T00:00"),
  ])
  func `instants before and after 1970 have the right local times`(seconds: Double, local: String) {
    #expect(Zone.utc.local(Date(timeIntervalSince1970: seconds)).description == local)
    let fraction = Date(timeIntervalSince1970: seconds + 0.999)
    #expect(Zone.utc.local(fraction).description == local)
  }

  @Test(arguments: ["", "Mars/Olympus", "America/NewYork"])
  func `an unknown time zone is refused`(name: String) {
    #expect(throws: CalendarError.unknownZone(name)) { try Zone(name) }
  }
}
