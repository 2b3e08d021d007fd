// SPDX-License-Identifier: Apache-2.0

/// A discount on products for all buyers, for a limited or unlimited time.
public struct Promotion: Hashable, Sendable {
  /// The display name.
  public let name: String
  /// The reduction of each unit's price.
  public let discount: Discount
  /// The first moment at which the promotion is in force, or nil for no start.
  public let start: Moment?
  /// The first moment after the promotion, or nil for no end.
  public let end: Moment?
  /// The hours of each day in which the promotion is in force, or nil for all day.
  public let hours: DailyWindow?
  /// The products that the promotion applies to, or nil for all.
  public let skus: Set<SKU>?

  /// Creates a promotion.
  ///
  /// - Parameters:
  ///   - name: The display name.
  ///   - discount: The reduction of each unit's price.
  ///   - start: The first moment at which the promotion is in force; nil for no start.
  ///   - end: The first moment after the promotion; nil for no end.
  ///   - hours: The hours of each day in which it is in force; nil for all day.
  ///   - skus: The products that it applies to; nil for all.
  public init(
    name: String, discount: Discount, start: Moment? = nil, end: Moment? = nil,
    hours: DailyWindow? = nil, skus: Set<SKU>? = nil
  ) {
    self.name = name
    self.discount = discount
    self.start = start
    self.end = end
    self.hours = hours
    self.skus = skus
  }

  /// Returns the time window in which the promotion is in force. Call this method once, and not for
  /// each basket.
  ///
  /// - Parameter zone: The zone of the shop, for dates and local times.
  /// - Returns: The window, without regard to ``hours``.
  /// - Throws: ``CalendarError`` if the end is not later than the start.
  public func window(in zone: Zone) throws(CalendarError) -> Window {
    try Window(start: start?.instant(in: zone), end: end?.instant(in: zone))
  }
}

extension Promotion: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, percentOff, amountOff, start, end, hours, skus
  }

  /// Reads the fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    self.init(
      name: try fields.decode(String.self, forKey: .name),
      discount: try Discount(within: decoder),
      start: try fields.decodeIfPresent(Moment.self, forKey: .start),
      end: try fields.decodeIfPresent(Moment.self, forKey: .end),
      hours: try fields.decodeIfPresent(DailyWindow.self, forKey: .hours),
      skus: try fields.decodeIfPresent([SKU].self, forKey: .skus).map { Set($0) })
  }
}
