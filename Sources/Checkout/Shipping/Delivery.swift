// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The rule for the dates on which parcels arrive: days of processing, then the hand-over to the
/// carrier, then days of transit.
///
/// Only business days count. The first day of processing is the day on which the order would ship
/// without processing. The parcel is handed over on the business day after the last day of
/// processing, or on the day of shipping if there are no days of processing.
public struct Delivery: Hashable, Sendable {
  /// The allowed numbers of processing days and transit days.
  public static let days = 0...365

  /// The days on which the shop ships, and the cut-off time.
  public let shipping: ShippingCalendar
  /// The number of business days that the shop needs to prepare a parcel.
  public let processingDays: Int
  /// The fewest and the most business days that a parcel is on its way.
  public let transitDays: ClosedRange<Int>

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - shipping: The days on which the shop ships, and the cut-off time.
  ///   - processingDays: The number of business days that the shop needs to prepare a parcel.
  ///   - transitDays: The fewest and the most business days that a parcel is on its way.
  /// - Throws: ``CalendarError/outOfRange(_:_:)`` for days outside ``days``.
  public init(
    shipping: ShippingCalendar, processingDays: Int, transitDays: ClosedRange<Int>
  ) throws(CalendarError) {
    for number in [processingDays, transitDays.lowerBound, transitDays.upperBound]
    where !Self.days.contains(number) {
      throw .outOfRange(number, Self.days)
    }
    self.shipping = shipping
    self.processingDays = processingDays
    self.transitDays = transitDays
  }

  /// The local dates between which an order placed at that instant arrives.
  ///
  /// - Parameter instant: The instant at which the order was placed.
  /// - Returns: The first and the last of these dates, which are business days.
  public func dates(of instant: Date) -> DeliveryDates {
    let calendar = shipping.calendar
    let handOver = calendar.businessDay(processingDays, after: shipping.shipDate(of: instant))
    return DeliveryDates(
      first: calendar.businessDay(transitDays.lowerBound, after: handOver),
      last: calendar.businessDay(transitDays.upperBound, after: handOver))
  }

  /// The date on which the order would ship without processing. Nil if that date is after the year
  /// 9999, because its text could not be read back.
  func shipDateInCalendar(of instant: Date) -> LocalDate? {
    let date = shipping.shipDate(of: instant)
    return date.isInCalendar ? date : nil
  }

  /// The dates of arrival. Nil if they are after the year 9999, because their text could not be
  /// read back.
  func datesInCalendar(of instant: Date) -> DeliveryDates? {
    let dates = dates(of: instant)
    return dates.last.isInCalendar ? dates : nil
  }
}

/// The local dates between which a parcel arrives, both inclusive.
public struct DeliveryDates: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The first date.
  public let first: LocalDate
  /// The last date.
  public let last: LocalDate

  /// The two dates, or a single one if they are equal.
  public var description: String { first == last ? "\(first)" : "\(first) to \(last)" }
}
