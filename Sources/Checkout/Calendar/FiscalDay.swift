// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The date to which the books assign an instant: its local date in the shop's zone.
public struct FiscalDay: Hashable, Sendable {
  /// The local date.
  public let date: LocalDate

  /// Creates the fiscal day of an instant.
  ///
  /// - Parameters:
  ///   - instant: The instant of a sale.
  ///   - zone: The zone in which the books are kept.
  public init(of instant: Date, in zone: Zone) { date = zone.date(of: instant) }

  /// The calendar year, which may differ from the year of the ISO week.
  public var year: Int { date.year }

  /// The date's week in ISO 8601.
  public var isoWeek: ISOWeek { date.isoWeek }
}

/// A week of ISO 8601: `2026-W53`.
public struct ISOWeek: Hashable, Sendable, CustomStringConvertible {
  /// The year that the week belongs to, which is the year of its Thursday.
  public let year: Int
  /// The number of the week, 1 to 53.
  public let week: Int

  /// The week as `YYYY-Www`.
  public var description: String {
    LocalDate.digits(ofYear: year) + "-W\(week < 10 ? "0" : "")\(week)"
  }
}
