// SPDX-License-Identifier: Apache-2.0

/// A time of day as a wall clock shows it: `09:30`, or `24:00` for the end of the day.
public struct LocalTime: Hashable, Sendable {
  /// The first time of the day.
  public static let midnight = LocalTime(secondOfDay: 0)

  /// The wall-clock time in seconds after 00:00, 0 to 86,400.
  public let secondOfDay: Int

  init(secondOfDay: Int) { self.secondOfDay = secondOfDay }

  /// Whether daily hours from this time to `end` are empty: the times are the same, or the hours
  /// end at 00:00 of the day that begins at this 24:00.
  func isEmptyWindow(to end: LocalTime) -> Bool {
    self == end || secondOfDay == 86_400 && end == .midnight
  }

  /// Reads `HH:MM` or `HH:MM:SS`, from 00:00 to 24:00.
  ///
  /// - Parameter text: The whole text, with two digits for each part: `09:30`.
  /// - Throws: ``CalendarError/impossibleTime(_:)`` if the text is not such a time.
  public init(_ text: String) throws(CalendarError) {
    var reader = DigitReader(text)
    guard let hour = reader.number(2, in: 0...24), reader.skip(":"),
      let minute = reader.number(2, in: 0...59)
    else { throw .impossibleTime(text) }
    var second = 0
    if reader.skip(":") {
      guard let number = reader.number(2, in: 0...59) else { throw .impossibleTime(text) }
      second = number
    }
    secondOfDay = hour * 3_600 + minute * 60 + second
    guard reader.isAtEnd, secondOfDay <= 86_400 else { throw .impossibleTime(text) }
  }
}

extension LocalTime: Comparable, CustomStringConvertible {
  /// Whether the left time is earlier on the wall clock.
  public static func < (left: LocalTime, right: LocalTime) -> Bool {
    left.secondOfDay < right.secondOfDay
  }

  /// The time as `HH:MM`, or as `HH:MM:SS` if the seconds are not zero.
  public var description: String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let text = two(secondOfDay / 3_600) + ":" + two(secondOfDay / 60 % 60)
    return secondOfDay % 60 == 0 ? text : text + ":" + two(secondOfDay % 60)
  }
}

extension LocalTime: Codable {
  /// Reads the text of a time.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (text: String) throws(CalendarError) in try LocalTime(text) }
  }

  /// Writes the text of the time.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}

/// A date and a wall-clock time on it, without a zone: `2026-11-27T09:30`.
public struct LocalDateTime: Hashable, Sendable, CustomStringConvertible {
  /// The date.
  public let date: LocalDate
  /// The time of day.
  public let time: LocalTime

  /// Creates the combination of a date and a time of day.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - time: The time of day; 24:00 is the end of that date.
  public init(_ date: LocalDate, _ time: LocalTime) {
    self.date = date
    self.time = time
  }

  /// Reads `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`.
  ///
  /// - Parameter text: The whole text, without a zone: `2026-11-27T09:30`.
  /// - Throws: ``CalendarError`` if the text has another form, or if there is no such date or time.
  public init(_ text: String) throws(CalendarError) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .impossibleMoment(text) }
    self.init(try LocalDate(String(parts[0])), try LocalTime(String(parts[1])))
  }

  /// The date, `T` and the time.
  public var description: String { "\(date)T\(time)" }

  /// Seconds since 1970 as if the zone were UTC.
  var secondsAsUTC: Int { date.daysSince1970 * 86_400 + time.secondOfDay }
}
