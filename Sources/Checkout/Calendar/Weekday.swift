// SPDX-License-Identifier: Apache-2.0

/// A day of the week, Monday first.
public enum Weekday: String, Hashable, Sendable, CaseIterable, Codable {
  /// Day 1 of the ISO 8601 week.
  case monday
  /// Day 2 of the ISO 8601 week.
  case tuesday
  /// Day 3 of the ISO 8601 week.
  case wednesday
  /// Day 4 of the ISO 8601 week.
  case thursday
  /// Day 5 of the ISO 8601 week.
  case friday
  /// Day 6 of the ISO 8601 week.
  case saturday
  /// Day 7 of the ISO 8601 week.
  case sunday

  /// Reads the name of a day.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (name: String) throws(FieldFault) in
      guard let day = Weekday(rawValue: name) else {
        throw .wrongType(expected: "a day of the week, such as monday")
      }
      return day
    }
  }

  /// The day's number in ISO 8601: 1 is Monday, 7 is Sunday.
  public var number: Int {
    switch self {
    case .monday: 1
    case .tuesday: 2
    case .wednesday: 3
    case .thursday: 4
    case .friday: 5
    case .saturday: 6
    case .sunday: 7
    }
  }
}
