/// A day of the week, Monday first.
public enum Weekday: String, Hashable, Sendable, CaseIterable, Codable {
  /// The first day of the week of ISO 8601.
  case monday
  /// The second.
  case tuesday
  /// The third.
  case wednesday
  /// The fourth.
  case thursday
  /// The fifth.
  case friday
  /// The sixth.
  case saturday
  /// The last.
  case sunday

  /// Reads the name of a day.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value { (name: String) throws(FieldFault) in
      guard let day = Weekday(rawValue: name) else {
        throw .wrongType(expected: "a day of the week, as monday")
      }
      return day
    }
  }

  /// The number of ISO 8601: 1 is Monday, 7 is Sunday.
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
