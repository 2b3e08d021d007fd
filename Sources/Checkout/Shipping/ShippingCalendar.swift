public import Foundation

/// The rule by which a shop ships: today before the cut-off of a business day, else on the next
/// business day.
public struct ShippingCalendar: Hashable, Sendable {
  /// The local time up to which an order ships on the same day, half-open.
  public let cutoff: LocalTime
  /// The days on which it ships.
  public let calendar: BusinessCalendar
  /// The zone of the shop.
  public let zone: Zone

  /// Creates the rule.
  ///
  /// - Parameters:
  ///   - cutoff: The local time up to which an order ships on the same day.
  ///   - calendar: The days on which it ships.
  ///   - zone: The zone of the shop.
  public init(cutoff: LocalTime, calendar: BusinessCalendar, zone: Zone) {
    self.cutoff = cutoff
    self.calendar = calendar
    self.zone = zone
  }

  /// The local date on which an order placed at that instant ships.
  ///
  /// If the clocks skip the cut-off, it moves forward by the length of the gap: 02:30 becomes 03:30
  /// by the new clock.
  ///
  /// - Parameter instant: The instant at which the order was placed.
  public func shipDate(of instant: Date) -> LocalDate {
    let today = zone.date(of: instant)
    guard calendar.isBusinessDay(today) else { return calendar.businessDay(onOrAfter: today) }
    let isInTime = instant < zone.instant(of: LocalDateTime(today, cutoff))
    return isInTime ? today : calendar.businessDay(1, after: today)
  }
}
