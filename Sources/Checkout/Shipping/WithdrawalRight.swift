public import Foundation

/// The right to send goods back: 14 days after the delivery, to the end of the day.
///
/// A last day that is no business day moves to the next one.
public struct WithdrawalRight: Hashable, Sendable {
  /// How many days after the delivery.
  public let days: Int
  /// The business days.
  public let calendar: BusinessCalendar
  /// The zone of the shop.
  public let zone: Zone

  /// The right for that many days.
  ///
  /// - Parameters:
  ///   - days: How many days after the delivery.
  ///   - calendar: The business days, on one of which the right must end.
  ///   - zone: The zone of the shop.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` unless it is for 0 to 365 days.
  public init(
    days: Int = 14, calendar: BusinessCalendar, zone: Zone
  ) throws(CalendarError) {
    guard (0...365).contains(days) else { throw .outOfRange(days, 0...365) }
    self.days = days
    self.calendar = calendar
    self.zone = zone
  }

  /// The last local day on which goods that were delivered on that day may be sent back.
  ///
  /// - Parameter delivered: The local date of the delivery.
  /// - Returns: A business day, to whose end the right lasts.
  public func lastDay(delivered: LocalDate) -> LocalDate {
    calendar.businessDay(onOrAfter: delivered.adding(days: days))
  }

  /// Whether goods that were delivered on that day may be sent back at that instant.
  ///
  /// - Parameters:
  ///   - delivered: The local date of the delivery.
  ///   - instant: The instant at which the buyer asks.
  public func isOpen(delivered: LocalDate, at instant: Date) -> Bool {
    instant < zone.firstInstant(of: lastDay(delivered: delivered).adding(days: 1))
  }
}
