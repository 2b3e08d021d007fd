/// The days on which a shop works: all but its weekly days off and its holidays.
public struct BusinessCalendar: Hashable, Sendable {
  /// The days of the week without work.
  public let daysOff: Set<Weekday>
  /// The dates without work.
  public let holidays: Set<LocalDate>

  /// A week and its holidays.
  ///
  /// - Parameters:
  ///   - daysOff: The days of each week without work.
  ///   - holidays: The dates without work, of any years.
  /// - Throws: ``CalendarError/noBusinessDay`` if no day of the week is left.
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

  /// That day if the shop works on it, else the next one on which it does.
  ///
  /// - Parameter day: The first date that is looked at.
  public func businessDay(onOrAfter day: LocalDate) -> LocalDate {
    var day = day
    while !isBusinessDay(day) { day = day.adding(days: 1) }
    return day
  }

  /// The business day that is `count` of them after that day; takes time in proportion to it.
  ///
  /// - Parameters:
  ///   - count: The number of business days; for zero or less, the result is the day itself.
  ///   - day: The date from which they are counted, which is not one of them.
  public func businessDay(_ count: Int, after day: LocalDate) -> LocalDate {
    var day = day
    for _ in 0..<max(count, 0) { day = businessDay(onOrAfter: day.adding(days: 1)) }
    return day
  }
}
