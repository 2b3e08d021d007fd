// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A date of the Gregorian calendar, without a zone: `2026-11-27`.
public struct LocalDate: Hashable, Sendable {
  /// The year. A date that is created from a text or from numbers has a year from 1 to 9999. A
  /// computed date may have a year outside this range.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// Creates the date of a year, a month and a day.
  ///
  /// - Parameters:
  ///   - year: The year, 1 to 9999.
  ///   - month: The month, 1 to 12.
  ///   - day: The day, 1 to the last day of the month.
  /// - Throws: ``CalendarError/impossibleDate(_:)`` if there is no such day in years 1 to 9999.
  public init(year: Int, month: Int, day: Int) throws(CalendarError) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CivilDate.daysIn(month: month, of: year)).contains(day)
    else { throw .impossibleDate("\(year)-\(month)-\(day)") }
    self.init(CivilDate(year: year, month: month, day: day))
  }

  /// Reads `YYYY-MM-DD`.
  ///
  /// - Parameter text: The whole text, with all ten digits and dashes: `2026-11-27`.
  /// - Throws: ``CalendarError/impossibleDate(_:)`` if the text has another form, or if there is no
  ///   such day.
  public init(_ text: String) throws(CalendarError) {
    var reader = DigitReader(text)
    guard let year = reader.number(4, in: 1...9999), reader.skip("-"),
      let month = reader.number(2, in: 1...12), reader.skip("-"),
      let day = reader.number(2, in: 1...CivilDate.daysIn(month: month, of: year)),
      reader.isAtEnd
    else { throw .impossibleDate(text) }
    self.init(CivilDate(year: year, month: month, day: day))
  }

  /// Whether the year is 1 to 9999. The text of other dates cannot be read again.
  package var isInCalendar: Bool { (1...9999).contains(year) }

  init(daysSince1970 days: Int) { self.init(CivilDate(daysSince1970: days)) }

  private init(_ civil: CivilDate) {
    year = civil.year
    month = civil.month
    day = civil.day
  }

  var daysSince1970: Int { CivilDate(year: year, month: month, day: day).daysSince1970 }
}

extension LocalDate: Comparable, CustomStringConvertible {
  /// Returns whether the left date is earlier.
  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The date as `YYYY-MM-DD`.
  public var description: String {
    "\(Self.digits(ofYear: year))-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  /// Returns the year as a text of at least four digits.
  static func digits(ofYear year: Int) -> String {
    let digits = String(year.magnitude)
    return (year < 0 ? "-" : "") + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }
}

extension LocalDate: Codable {
  /// Reads the text of a date.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (text: String) throws(CalendarError) in try LocalDate(text) }
  }

  /// Writes the text of the date.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}

extension LocalDate {
  /// Returns the date `days` days after this date, or before it if `days` is negative.
  ///
  /// - Parameter days: The number of days; the result may lie beyond the year 9999.
  public func adding(days: Int) -> LocalDate { LocalDate(daysSince1970: daysSince1970 + days) }

  /// Returns the same day of the month, `months` months later. If that month has no such day,
  /// returns its last day.
  ///
  /// - Parameter months: The number of months; negative for an earlier date.
  /// - Returns: The date; a month after 31 January is 28 or 29 February.
  public func adding(months: Int) -> LocalDate {
    let count = year * 12 + month - 1 + months
    let newYear = count >= 0 ? count / 12 : (count - 11) / 12
    let newMonth = count - newYear * 12 + 1
    let lastDay = CivilDate.daysIn(month: newMonth, of: newYear)
    let civil = CivilDate(year: newYear, month: newMonth, day: min(day, lastDay))
    return LocalDate(daysSince1970: civil.daysSince1970)
  }

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    let index = (daysSince1970 + 3) % 7
    return Weekday.allCases[index < 0 ? index + 7 : index]
  }

  /// The week of ISO 8601: weeks start on Monday, and belong to the year of their Thursday.
  public var isoWeek: ISOWeek {
    let monday = adding(days: 1 - weekday.number)
    let thursday = monday.adding(days: 3)
    let firstOfYear = CivilDate(year: thursday.year, month: 1, day: 1).daysSince1970
    return ISOWeek(year: thursday.year, week: (thursday.daysSince1970 - firstOfYear) / 7 + 1)
  }
}
