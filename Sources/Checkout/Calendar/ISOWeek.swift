/// A week of ISO 8601: `2026-W53`.
public struct ISOWeek: Hashable, Sendable, CustomStringConvertible {
  /// The year that the week belongs to: that of its Thursday.
  public let year: Int
  /// The number of the week, 1 to 53.
  public let week: Int

  /// The week as `YYYY-Www`.
  public var description: String { "\(year)-W\(week < 10 ? "0" : "")\(week)" }
}
