/// A discount on a basket for buyers who have the code.
public struct Coupon: Hashable, Sendable {
  /// The code, in capitals; case does not matter when a buyer types it.
  public let code: String
  /// The discount, taken once from the basket.
  public let discount: Discount
  /// The first local day on which it is valid, or nil for any.
  public let firstDay: LocalDate?
  /// The last local day on which it is valid, or nil for ever.
  public let lastDay: LocalDate?
  /// The smallest basket that it is valid for, or nil for any.
  public let minimum: Money?

  /// Creates a coupon.
  ///
  /// - Parameters:
  ///   - code: The code, which is kept in capitals.
  ///   - discount: The discount, taken once from the basket.
  ///   - firstDay: The first local day on which it is valid; nil for any.
  ///   - lastDay: The last local day on which it is valid; nil for ever.
  ///   - minimum: The smallest basket that it is valid for; nil for any.
  public init(
    code: String, discount: Discount, firstDay: LocalDate? = nil, lastDay: LocalDate? = nil,
    minimum: Money? = nil
  ) {
    self.code = code.uppercased()
    self.discount = discount
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.minimum = minimum
  }

  /// The instants between which it is valid, in that zone. Compute them once, not for each basket.
  ///
  /// - Parameter zone: The zone of the shop, in which the days begin and end.
  /// - Returns: The window; a side without a day is open.
  /// - Throws: ``CalendarError/lastDayBeforeFirst(first:last:)``.
  public func window(in zone: Zone) throws(CalendarError) -> Window {
    try Window(firstDay: firstDay, lastDay: lastDay, in: zone)
  }
}

extension Coupon: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case code, percentOff, amountOff, firstDay, lastDay, minimum
  }

  /// Reads the fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(CodingKeys.self)
    self.init(
      code: try fields.decode(String.self, forKey: .code),
      discount: try Discount(within: decoder),
      firstDay: try fields.decodeIfPresent(LocalDate.self, forKey: .firstDay),
      lastDay: try fields.decodeIfPresent(LocalDate.self, forKey: .lastDay),
      minimum: try fields.decodeIfPresent(Money.self, forKey: .minimum))
  }

  /// Writes the fields.
  public func encode(to encoder: any Encoder) throws {
    try discount.encode(within: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(code, forKey: .code)
    try fields.encodeIfPresent(firstDay, forKey: .firstDay)
    try fields.encodeIfPresent(lastDay, forKey: .lastDay)
    try fields.encodeIfPresent(minimum, forKey: .minimum)
  }
}
