// SPDX-License-Identifier: Apache-2.0

internal import Ambient
package import Foundation

extension HTTPAnswer {
  /// The wait that the server asks for: `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3).
  ///
  /// A date is compared with the server's own `Date`, if the answer has one, so that it does not
  /// matter if this machine's clock is wrong.
  ///
  /// - Parameter now: The time by this machine's clock.
  package func retryAfter(now: Date) -> Duration? {
    guard let text = headers["retry-after"]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // The number is clamped, because it may exceed every integer type. No wait lasts 2^40
      // seconds.
      return .seconds(min(Int(text) ?? .max, 1 << 40))
    }
    guard let date = Date(http: text) else { return nil }
    let start = headers["date"].flatMap { Date(http: $0) } ?? now
    return .milliseconds(Int(min(max(0, date.timeIntervalSince(start)), 1e12) * 1_000))
  }
}

extension Date {
  /// The date that `text` denotes in one of the three forms of HTTP (RFC 9110, 5.6.7).
  package init?(http text: String) {
    let words = text.split { " -,".contains($0) }.map(String.init)
    let day: (year: String, month: String, day: String)
    let time: String
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
    case 6 where words[5] == "GMT": (day, time) = ((words[3], words[2], words[1]), words[4])
    // Sun Nov  6 08:49:37 1994
    case 5: (day, time) = ((words[4], words[1], words[2]), words[3])
    default: return nil
    }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard let month = months.firstIndex(of: day.month), var year = Int(day.year) else { return nil }
    // POSIX's rule for years of two digits (strptime(3), %y): 69 to 99 mean 1969 to 1999, and 00 to
    // 68 mean 2000 to 2068.
    if year < 100 { year += year < 69 ? 2_000 : 1_900 }
    let iso = "\(year)-\(Self.twoDigits(month + 1))-\(Self.twoDigits(Int(day.day) ?? 0))T\(time)Z"
    guard let date = try? Date(iso8601: iso) else { return nil }
    self = date
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
