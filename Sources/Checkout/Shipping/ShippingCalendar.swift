// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The rule for the day on which an order ships: the same day if it is placed on a business day
/// before the cut-off time, otherwise the next business day.
public struct ShippingCalendar: Hashable, Sendable {
  /// The local time before which an order ships on the same day. An order at exactly this time
  /// ships on the next business day.
  public let cutoff: LocalTime
  /// The days on which the shop ships.
  public let calendar: BusinessCalendar
  /// The zone of the shop.
  public let zone: Zone

  /// Creates the rule.
  ///
  /// - Parameters:
  ///   - cutoff: The local time before which an order ships on the same day.
  ///   - calendar: The days on which the shop ships.
  ///   - zone: The zone of the shop.
  public init(cutoff: LocalTime, calendar: BusinessCalendar, zone: Zone) {
    self.cutoff = cutoff
    self.calendar = calendar
    self.zone = zone
  }

  /// The local date on which an order placed at that instant ships.
  ///
  /// If the clocks skip the cut-off time on that day, the cut-off moves forward by the length of
  /// the gap, for example from 02:30 to 03:30.
  ///
  /// - Parameter instant: The instant at which the order was placed.
  public func shipDate(of instant: Date) -> LocalDate {
    let today = zone.date(of: instant)
    guard calendar.isBusinessDay(today) else { return calendar.businessDay(onOrAfter: today) }
    let isInTime = instant < zone.instant(of: LocalDateTime(today, cutoff))
    return isInTime ? today : calendar.businessDay(1, after: today)
  }
}
