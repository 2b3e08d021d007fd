/// A date and the time that the wall shows on it, without a zone: `2026-11-27T09:30`.
public struct LocalDateTime: Hashable, Sendable, CustomStringConvertible {
  /// The date.
  public let date: LocalDate
  /// The time of day.
  public let time: LocalTime

  /// That time on that date.
  public init(_ date: LocalDate, _ time: LocalTime) {
    self.date = date
    self.time = time
  }

  /// Reads `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`.
  ///
  /// - Throws: ``CalendarError`` if there is no such date, or no such time.
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
