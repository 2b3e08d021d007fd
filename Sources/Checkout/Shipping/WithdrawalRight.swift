// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The right to return goods within a number of days after the delivery, by default 14.
///
/// The right lasts to the end of the last of these days or, if that day is not a business day, to
/// the end of the next business day.
public struct WithdrawalRight: Hashable, Sendable {
  /// The number of days after the delivery.
  public let days: Int
  /// The business days.
  public let calendar: BusinessCalendar
  /// The zone of the shop.
  public let zone: Zone

  /// Creates the right.
  ///
  /// - Parameters:
  ///   - days: The number of days after the delivery.
  ///   - calendar: The business days; the right ends on one of them.
  ///   - zone: The zone of the shop.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` unless the number is 0 to 365.
  public init(
    days: Int = 14, calendar: BusinessCalendar, zone: Zone
  ) throws(CalendarError) {
    guard (0...365).contains(days) else { throw .outOfRange(days, 0...365) }
    self.days = days
    self.calendar = calendar
    self.zone = zone
  }

  /// The last local day on which goods may be returned, if they were delivered on `delivered`.
  ///
  /// - Parameter delivered: The local date of the delivery.
  /// - Returns: A business day; goods may be returned until its end.
  public func lastDay(delivered: LocalDate) -> LocalDate {
    calendar.businessDay(onOrAfter: delivered.adding(days: days))
  }

  /// Whether goods may be returned at `instant`, if they were delivered on `delivered`.
  ///
  /// - Parameters:
  ///   - delivered: The local date of the delivery.
  ///   - instant: The instant at which the buyer asks.
  public func isOpen(delivered: LocalDate, at instant: Date) -> Bool {
    instant < zone.firstInstant(of: lastDay(delivered: delivered).adding(days: 1))
  }
}
