// SPDX-License-Identifier: Apache-2.0

/// The shipping terms of a shop, as read from the shop's file.
public struct ShippingTerms: Hashable, Sendable, Decodable {
  /// The cut-off time. An order that is placed earlier on a business day ships on that day, or its
  /// processing begins on that day.
  public let cutoff: LocalTime
  /// The number of business days that the shop needs to prepare a parcel.
  public let processingDays: Int
  /// The fewest business days that a parcel is on its way.
  public let minimumTransitDays: Int
  /// The most business days that a parcel is on its way.
  public let maximumTransitDays: Int
  /// The days of the week without work.
  public let daysOff: [Weekday]
  /// The dates without work.
  public let holidays: [LocalDate]

  /// Creates terms.
  ///
  /// - Parameters:
  ///   - cutoff: The local time of the cut-off. An order that is placed earlier on a business day
  ///     ships on that day, or its processing begins on that day.
  ///   - processingDays: The number of business days that the shop needs to prepare a parcel.
  ///   - minimumTransitDays: The fewest business days that a parcel is on its way.
  ///   - maximumTransitDays: The most business days that a parcel is on its way.
  ///   - daysOff: The days of the week without work.
  ///   - holidays: The dates without work.
  public init(
    cutoff: LocalTime, processingDays: Int, minimumTransitDays: Int, maximumTransitDays: Int,
    daysOff: [Weekday] = [.saturday, .sunday], holidays: [LocalDate] = []
  ) {
    self.cutoff = cutoff
    self.processingDays = processingDays
    self.minimumTransitDays = minimumTransitDays
    self.maximumTransitDays = maximumTransitDays
    self.daysOff = daysOff
    self.holidays = holidays
  }

  /// Makes the rule for the dates of shipping and arrival from these terms.
  ///
  /// - Parameter zone: The zone of the shop, for the cut-off.
  /// - Returns: The rule by which dates are computed.
  /// - Throws: ``CalendarError`` for a week without business days, or days out of range.
  public func delivery(in zone: Zone) throws(CalendarError) -> Delivery {
    let calendar = try BusinessCalendar(daysOff: Set(daysOff), holidays: Set(holidays))
    guard minimumTransitDays >= 0, minimumTransitDays <= maximumTransitDays else {
      throw .outOfRange(minimumTransitDays, 0...max(maximumTransitDays, 0))
    }
    return try Delivery(
      shipping: ShippingCalendar(cutoff: cutoff, calendar: calendar, zone: zone),
      processingDays: processingDays, transitDays: minimumTransitDays...maximumTransitDays)
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case cutoff, processingDays, minimumTransitDays, maximumTransitDays, daysOff, holidays
  }

  /// Reads the fields; missing days off mean the weekend, and missing holidays mean none.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    self.init(
      cutoff: try fields.decode(LocalTime.self, forKey: .cutoff),
      processingDays: try fields.decode(WholeNumber.self, forKey: .processingDays).value,
      minimumTransitDays: try fields.decode(WholeNumber.self, forKey: .minimumTransitDays).value,
      maximumTransitDays: try fields.decode(WholeNumber.self, forKey: .maximumTransitDays).value,
      daysOff: try fields.decodeIfPresent([Weekday].self, forKey: .daysOff)
        ?? [.saturday, .sunday],
      holidays: try fields.decodeIfPresent([LocalDate].self, forKey: .holidays) ?? [])
  }
}
