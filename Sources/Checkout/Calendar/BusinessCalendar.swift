// SPDX-License-Identifier: Apache-2.0

/// The days on which a shop works: all but its weekly days off and its holidays.
public struct BusinessCalendar: Hashable, Sendable {
  /// The days of the week on which the shop does not work.
  public let daysOff: Set<Weekday>
  /// The dates on which the shop does not work.
  public let holidays: Set<LocalDate>

  /// Creates a calendar with weekly days off and holidays.
  ///
  /// - Parameters:
  ///   - daysOff: The days of the week on which the shop does not work.
  ///   - holidays: The dates on which the shop does not work, in any number of years.
  /// - Throws: ``CalendarError/noBusinessDay`` if every day of the week is a day off.
  public init(
    daysOff: Set<Weekday> = [.saturday, .sunday], holidays: Set<LocalDate> = []
  ) throws(CalendarError) {
    guard daysOff.count < Weekday.allCases.count else { throw .noBusinessDay }
    self.daysOff = daysOff
    self.holidays = holidays
  }

  /// Whether the shop works on that day.
  ///
  /// - Parameter day: The local date in the shop's zone.
  public func isBusinessDay(_ day: LocalDate) -> Bool {
    !daysOff.contains(day.weekday) && !holidays.contains(day)
  }

  /// The day itself if it is a business day, otherwise the next business day.
  ///
  /// - Parameter day: The first date to consider.
  public func businessDay(onOrAfter day: LocalDate) -> LocalDate {
    var day = day
    while !isBusinessDay(day) { day = day.adding(days: 1) }
    return day
  }

  /// The business day `count` business days after `day`; takes time in proportion to `count`.
  ///
  /// - Parameters:
  ///   - count: The number of business days; for zero or less, the result is the day itself.
  ///   - day: The date after which counting starts.
  public func businessDay(_ count: Int, after day: LocalDate) -> LocalDate {
    var day = day
    for _ in 0..<max(count, 0) { day = businessDay(onOrAfter: day.adding(days: 1)) }
    return day
  }
}
