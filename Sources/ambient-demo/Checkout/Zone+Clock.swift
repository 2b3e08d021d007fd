// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation

extension Zone {
  /// Returns the local date and time of an instant, to the second, such as
  /// `Fri 2026-11-27 00:00:00 -05:00`.
  func clock(at instant: Date) -> String {
    let date = date(of: instant)
    let weekday = date.weekday.rawValue.prefix(3).capitalized
    let offset = timeZone.secondsFromGMT(for: instant) / 60
    let sign = offset < 0 ? "-" : "+"
    let hours = "\(sign)\(Self.two(abs(offset) / 60)):\(Self.two(abs(offset) % 60))"
    return "\(weekday) \(date) \(time(at: instant)) \(hours)"
  }

  /// Returns the local time of day of an instant, to the second, such as `00:00:00`.
  func time(at instant: Date) -> String {
    let second = local(instant).time.secondOfDay
    return [second / 3_600, second / 60 % 60, second % 60].map(Self.two).joined(separator: ":")
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
