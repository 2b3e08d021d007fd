// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// What a clock and a calendar on a wall show: Foundation's, and nothing of the shop's own.
///
/// Days are texts as `2026-11-27`, whose order is that of time.
struct Wall: Sendable {
  let identifier: String
  private let calendar: Calendar
  private let weeks: Calendar

  init(_ identifier: String) {
    self.identifier = identifier
    let zone = TimeZone(identifier: identifier) ?? .gmt
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
    var weeks = Calendar(identifier: .iso8601)
    weeks.timeZone = zone
    self.weeks = weeks
  }

  /// Zones with whole, half and quarter hours, a skipped day, a negative summer time, and none.
  static let all = [
    "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
    "America/St_Johns", "Asia/Kathmandu", "Europe/Dublin", "Africa/Casablanca", "Asia/Gaza", "UTC",
  ].map(Wall.init)

  /// An instant of 1970 to 2100, near a change of the clock or not, a whole minute or in
  /// milliseconds.
  func instant(_ numbers: inout SeededNumbers) -> Date {
    var date = Date(
      timeIntervalSince1970: Double(Int.random(in: 0..<4_102_444_800, using: &numbers)))
    var change = calendar.timeZone.nextDaylightSavingTimeTransition(after: date)
    if identifier == "Pacific/Apia", Int.random(in: 0..<4, using: &numbers) == 0 {
      change = Date(timeIntervalSince1970: 1_325_239_200)  // 30 December 2011, which it has not had
    }
    if let change, Bool.random(using: &numbers) {
      date = change.addingTimeInterval(Double(Int.random(in: -90_000...90_000, using: &numbers)))
    }
    if Bool.random(using: &numbers) {
      // A whole minute, as bounds are.
      return Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
    }
    return date.addingTimeInterval(Double(Int.random(in: 0..<1_000, using: &numbers)) / 1_000)
  }

  func day(_ instant: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: instant)
    return Self.text(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  /// The milliseconds that the clock shows since 00:00.
  func time(_ instant: Date) -> Int {
    let parts = calendar.dateComponents([.hour, .minute, .second], from: instant)
    let seconds = (parts.hour ?? 0) * 3_600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)
    let milliseconds = Int((instant.timeIntervalSince1970 * 1_000).rounded())
    return seconds * 1_000 + milliseconds % 1_000
  }

  /// The first instant of the day at which the clock shows so many minutes since 00:00; as long
  /// after the beginning of a gap as that is, if the day leaves it out.
  func instant(_ day: String, _ minutes: Int) -> Date {
    let shown = Self.noon(day).addingTimeInterval(Double(minutes - 720) * 60)
    let zone = calendar.timeZone
    let offsets = [-86_400.0, 86_400].map {
      zone.secondsFromGMT(for: shown.addingTimeInterval($0))
    }
    let instants = offsets.map { shown.addingTimeInterval(-Double($0)) }
    let right = zip(instants, offsets).filter { zone.secondsFromGMT(for: $0) == $1 }.map(\.0)
    return right.min() ?? instants[0]
  }

  /// Whether the clock is set within a day of the instant.
  func changes(near instant: Date) -> Bool {
    let zone = calendar.timeZone
    return zone.secondsFromGMT(for: instant.addingTimeInterval(-86_400))
      != zone.secondsFromGMT(for: instant.addingTimeInterval(86_400))
  }

  /// Whether the wall has shown a later day within the last hour, as once a year in St. John's,
  /// where the clock was set back at 00:01: a day has begun there when it begins first.
  func hasShownTomorrow(_ instant: Date) -> Bool {
    guard changes(near: instant) else { return false }
    let today = day(instant)
    return (1...60).contains { day(instant.addingTimeInterval(-60 * Double($0))) > today }
  }

  /// As `2026-W48`.
  func week(_ instant: Date) -> String {
    let parts = weeks.dateComponents([.yearForWeekOfYear, .weekOfYear], from: instant)
    return String(format: "%04d-W%02d", parts.yearForWeekOfYear ?? 0, parts.weekOfYear ?? 0)
  }

  static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
    String(format: "%04d-%02d-%02d", year, month, day)
  }

  private static let utc = Wall("UTC")

  /// The day so many days after another one.
  static func day(_ days: Int, after day: String) -> String {
    utc.day(noon(day).addingTimeInterval(86_400 * Double(days)))
  }

  static func isWeekend(_ day: String) -> Bool {
    let weekday = utc.calendar.component(.weekday, from: noon(day))
    return weekday == 1 || weekday == 7
  }

  static func daysInMonth(_ year: Int, _ month: Int) -> Int {
    utc.calendar.range(of: .day, in: .month, for: noon(text(year, month, 1)))?.count ?? 0
  }

  private static func noon(_ day: String) -> Date {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    return utc.calendar.date(
      from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12))
      ?? .distantPast
  }
}
