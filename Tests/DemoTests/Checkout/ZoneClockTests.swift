// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation
import Testing

@testable import ambient_demo

@Suite struct `Zone clocks` {
  @Test(arguments: [
    ("UTC", "2026-11-27T00:00:00Z", "Fri 2026-11-27 00:00:00 +00:00"),
    ("UTC", "2026-11-27T09:10:09Z", "Fri 2026-11-27 09:10:09 +00:00"),
    ("UTC", "2026-11-27T10:09:10Z", "Fri 2026-11-27 10:09:10 +00:00"),
    ("UTC", "2026-11-27T23:59:59Z", "Fri 2026-11-27 23:59:59 +00:00"),
    ("America/St_Johns", "2026-11-27T12:00:00Z", "Fri 2026-11-27 08:30:00 -03:30"),
    ("America/New_York", "2026-07-01T04:00:00Z", "Wed 2026-07-01 00:00:00 -04:00"),
    ("Asia/Kathmandu", "2026-11-27T18:15:00Z", "Sat 2026-11-28 00:00:00 +05:45"),
    ("Pacific/Kiritimati", "2026-11-27T12:00:00Z", "Sat 2026-11-28 02:00:00 +14:00"),
  ])
  func `a zone's clock shows the weekday, date, time and UTC offset`(
    zone: String, instant: String, shown: String
  ) throws {
    #expect(try Zone(zone).clock(at: Date(iso8601: instant)) == shown)
  }
}
