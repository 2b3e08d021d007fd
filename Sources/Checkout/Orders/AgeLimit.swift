internal import Ambient

/// The age that a buyer must have reached on the local date of the sale.
public struct AgeLimit: Hashable, Sendable {
  /// When somebody who was born on 29 February has a birthday in other years.
  public enum LeapDay: Hashable, Sendable {
    /// The day before it is due.
    case lastOfFebruary
    /// The day after it is due.
    case firstOfMarch
  }

  /// The age in years.
  public let years: Int
  /// How a birthday on 29 February is counted.
  public let leapDay: LeapDay

  /// The limit of that many years.
  public init(years: Int, leapDay: LeapDay = .firstOfMarch) {
    self.years = years
    self.leapDay = leapDay
  }

  /// Whether somebody who was born on that day is old enough now, in that zone.
  public func admits(born: LocalDate, in zone: Zone) -> Bool {
    let birthday = born.adding(months: 12 * years)
    let isMoved = birthday.day != born.day
    return zone.date(of: Time.now)
      >= (isMoved && leapDay == .firstOfMarch ? birthday.adding(days: 1) : birthday)
  }
}
