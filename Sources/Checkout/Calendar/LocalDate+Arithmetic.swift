internal import Ambient

extension LocalDate {
  /// The day that many days later, or earlier if negative.
  public func adding(days: Int) -> LocalDate { LocalDate(daysSince1970: daysSince1970 + days) }

  /// The same day of the month that many months later, or the month's last day if it is shorter.
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
