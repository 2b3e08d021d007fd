// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The age that a buyer must have reached on the local date of the sale.
public struct AgeLimit: Hashable, Sendable {
  /// The birthday of a buyer who was born on 29 February, in years without that day.
  public enum LeapDay: String, Sendable, Codable {
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
  private enum CodingKeys: String, CodingKey, CaseIterable { case years, leapDay }

  /// Reads the number of years, or an object of `years` and `leapDay`.
  public init(from decoder: any Decoder) throws {
    let isObject = (try? decoder.container(keyedBy: FieldName.self)) != nil
    let fields = isObject ? try decoder.fields(CodingKeys.self) : nil
    let years = try fields?.decode(WholeNumber.self, forKey: .years) ?? WholeNumber(from: decoder)
    let leapDay = try fields?.decodeIfPresent(LeapDay.self, forKey: .leapDay)
    do throws(CalendarError) {
      try self.init(years: years.value, leapDay: leapDay ?? .firstOfMarch)
    } catch {
      throw decoder.fault(error, in: isObject ? CodingKeys.years : nil)
    }
  }

  /// Writes the number of years or, if `leapDay` is not `firstOfMarch`, an object of `years` and
  /// `leapDay`.
  public func encode(to encoder: any Encoder) throws {
    guard leapDay != .firstOfMarch else {
      var container = encoder.singleValueContainer()
      return try container.encode(years)
    }
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(years, forKey: .years)
    try fields.encode(leapDay, forKey: .leapDay)
  }
}

extension AgeLimit.LeapDay {
  /// Reads the name of the rule.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (name: String) throws(FieldFault) in
      guard let rule = Self(rawValue: name) else {
        throw .wrongType(expected: "“firstOfMarch” or “lastOfFebruary”")
      }
      return rule
    }
  }
}
