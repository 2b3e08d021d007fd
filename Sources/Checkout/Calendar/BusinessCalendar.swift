/// Which days a shop works: not on its days off, not on its holidays.
public struct BusinessCalendar: Hashable, Sendable {
  /// The days of the week without work.
  public let daysOff: Set<Weekday>
  /// The dates without work.
  public let holidays: Set<LocalDate>

  /// A week and its holidays.
  ///
  /// - Throws: ``CalendarError/noBusinessDay`` if no day of the week is left.
  public init(
    daysOff: Set<Weekday> = [.saturday, .sunday], holidays: Set<LocalDate> = []
  ) throws(CalendarError) {
    guard daysOff.count < Weekday.allCases.count else { throw .noBusinessDay }
    self.daysOff = daysOff
    self.holidays = holidays
  }

  /// Whether the shop works on that day.
  public func isBusinessDay(_ day: LocalDate) -> Bool {
    !daysOff.contains(day.weekday) && !holidays.contains(day)
  }

  /// That day if the shop works on it, else the next one on which it does.
  public func businessDay(onOrAfter day: LocalDate) -> LocalDate {
    var day = day
    while !isBusinessDay(day) { day = day.adding(days: 1) }
    return day
  }

  /// The business day that is `count` of them after that day; takes time in proportion to it.
  public func businessDay(_ count: Int, after day: LocalDate) -> LocalDate {
    var day = day
    for _ in 0..<max(count, 0) { day = businessDay(onOrAfter: day.adding(days: 1)) }
    return day
  }
}
