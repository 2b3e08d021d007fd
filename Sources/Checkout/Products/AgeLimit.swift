internal import Ambient

/// The age that a buyer must have reached on the local date of the sale.
public struct AgeLimit: Hashable, Sendable {
  /// The birthday of a buyer who was born on 29 February, in years without that day.
  public enum LeapDay: Hashable, Sendable {
    /// The birthday is 28 February.
    case lastOfFebruary
    /// The birthday is 1 March.
    case firstOfMarch
  }

  /// The age in years.
  public let years: Int
  /// The birthday of a buyer who was born on 29 February, in years without that day.
  public let leapDay: LeapDay

  /// Creates the limit of `years` years.
  ///
  /// - Parameters:
  ///   - years: The age in whole years.
  ///   - leapDay: The birthday of a buyer who was born on 29 February, in years without that day.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` unless the age is 0 to 150 years.
  public init(years: Int, leapDay: LeapDay = .firstOfMarch) throws(CalendarError) {
    guard (0...150).contains(years) else { throw .outOfRange(years, 0...150) }
    self.years = years
    self.leapDay = leapDay
  }

  /// Whether a buyer born on that day is old enough now, in that zone.
  ///
  /// - Parameters:
  ///   - born: The buyer's date of birth.
  ///   - zone: The zone of the sale, which determines today's date.
  public func admits(born: LocalDate, in zone: Zone) -> Bool {
    let birthday = born.adding(months: 12 * years)
    let isMoved = birthday.day != born.day
    return zone.date(of: Time.now)
      >= (isMoved && leapDay == .firstOfMarch ? birthday.adding(days: 1) : birthday)
  }
}

extension AgeLimit: Codable {
  /// Reads the number of years.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (years: WholeNumber) throws(CalendarError) in
      try AgeLimit(years: years.value)
    }
  }

  /// Writes the number of years.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(years)
  }
}
