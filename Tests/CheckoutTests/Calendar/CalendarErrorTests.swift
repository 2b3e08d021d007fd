// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation
import Testing

@Suite struct `Calendar errors` {
  @Test func `a calendar error shows the invalid input and the expected format`() throws {
    let instant = try Date(iso8601: "2026-11-27T09:30:00Z")
    let (first, last) = (try LocalDate("2026-11-27"), try LocalDate("2026-11-26"))
    let texts: [(CalendarError, String)] = [
      (.impossibleDate("x"), "“x” is no date; write one as 2026-11-27"),
      (.impossibleTime("x"), "“x” is no time of day; write one as 09:30"),
      (
        .impossibleMoment("x"),
        """
        “x” is no moment; write a date (2026-11-27), a local time (2026-11-27T09:30) or an instant \
        (2026-11-27T09:30:00-05:00)
        """
      ),
      (.unknownZone("x"), "“x” is no time zone; write one as America/New_York"),
      (
        .endsBeforeItStarts(start: instant.addingTimeInterval(1), end: instant),
        """
        the window ends (2026-11-27T09:30:00Z) before it starts (2026-11-27T09:30:01Z); swap the \
        bounds
        """
      ),
      (
        .emptyWindow(instant),
        """
        the window ends when it starts (2026-11-27T09:30:00Z), so nothing is in it; write a later \
        end
        """
      ),
      (
        .lastDayBeforeFirst(first: first, last: last),
        "the last day (2026-11-26) comes before the first (2026-11-27); swap the days"
      ),
      (
        .emptyHours(try LocalTime("09:30")),
        "hours from 09:30 to 09:30 are empty; write 00:00 to 24:00 for the whole day"
      ),
      (.noBusinessDay, "every day of the week is a day off; leave one out"),
      (.outOfRange(9, 1...7), "9 is out of range; write 1 to 7"),
    ]
    for (error, text) in texts { #expect(error.description == text) }
  }
}
