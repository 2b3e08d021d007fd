internal import Ambient

/// A date of the Gregorian calendar, without a zone: `2026-11-27`.
public struct LocalDate: Hashable, Sendable {
  /// The year, 1 to 9999 when read from text.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// That day.
  ///
  /// - Throws: ``CalendarError/impossibleDate(_:)`` if there is no such day in years 1 to 9999.
  public init(year: Int, month: Int, day: Int) throws(CalendarError) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CivilDate.daysIn(month: month, of: year)).contains(day)
    else { throw .impossibleDate("\(year)-\(month)-\(day)") }
    self.init(CivilDate(year: year, month: month, day: day))
  }

  /// Reads `YYYY-MM-DD`.
  ///
  /// - Throws: ``CalendarError/impossibleDate(_:)`` if there is no such day.
  public init(_ text: String) throws(CalendarError) {
    var reader = DigitReader(text)
    guard let year = reader.number(4, in: 1...9999), reader.skip("-"),
      let month = reader.number(2, in: 1...12), reader.skip("-"),
      let day = reader.number(2, in: 1...CivilDate.daysIn(month: month, of: year)),
      reader.isAtEnd
    else { throw .impossibleDate(text) }
    self.init(CivilDate(year: year, month: month, day: day))
  }

  /// Whether it lies in the years 1 to 9999, so that its text is read back.
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
  /// Whether the left day comes first.
  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The date as `YYYY-MM-DD`.
  public var description: String {
    let text = String(year)
    let padding = String(repeating: "0", count: max(4 - text.count, 0))
    return "\(padding)\(text)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
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
