public import Foundation

/// The arrival of parcels: days of processing, then the hand-over, then days of transit.
///
/// All of them are business days. The day on which the order would ship is the first of processing;
/// the parcel is handed over on the business day after processing.
public struct Delivery: Hashable, Sendable {
  /// The range of days that a shop may set.
  public static let days = 0...365

  /// The days and hours on which the shop ships.
  public let shipping: ShippingCalendar
  /// How many days it needs to get a parcel ready.
  public let processingDays: Int
  /// How many days the parcel is on its way.
  public let transitDays: ClosedRange<Int>

  /// A way of delivering.
  ///
  /// - Parameters:
  ///   - shipping: The days on which the shop ships, and until when.
  ///   - processingDays: How many business days it needs to get a parcel ready.
  ///   - transitDays: The fewest and the most business days on the way.
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

  /// The local dates between which an order of that instant arrives.
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

  /// The date on which it ships, or nil if that lies beyond the year 9999.
  func shipDateInCalendar(of instant: Date) -> LocalDate? {
    let date = shipping.shipDate(of: instant)
    return date.isInCalendar ? date : nil
  }

  /// The same dates, or nil if they lie beyond the year 9999, where no reader of dates follows.
  func datesInCalendar(of instant: Date) -> DeliveryDates? {
    let dates = dates(of: instant)
    return dates.last.isInCalendar ? dates : nil
  }
}

/// The local dates between which a parcel arrives, both inclusive.
public struct DeliveryDates: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The first.
  public let first: LocalDate
  /// The last.
  public let last: LocalDate

  /// The two dates.
  public var description: String { first == last ? "\(first)" : "\(first) to \(last)" }
}
