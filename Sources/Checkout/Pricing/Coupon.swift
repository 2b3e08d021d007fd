// SPDX-License-Identifier: Apache-2.0

/// A discount on a basket for buyers who have the code.
public struct Coupon: Hashable, Sendable {
  /// The code, in capitals. A buyer may also type it in small letters.
  public let code: String
  /// The discount, applied once to the whole basket.
  public let discount: Discount
  /// The first local day on which the coupon is valid, or nil for no start.
  public let firstDay: LocalDate?
  /// The last local day on which the coupon is valid, or nil for no end.
  public let lastDay: LocalDate?
  /// The smallest subtotal that the coupon is valid for, or nil for no minimum.
  public let minimum: Money?

  /// Creates a coupon.
  ///
  /// - Parameters:
  ///   - code: The code, which is converted to capitals.
  ///   - discount: The discount, applied once to the whole basket.
  ///   - firstDay: The first local day on which the coupon is valid; nil for no start.
  ///   - lastDay: The last local day on which the coupon is valid; nil for no end.
  ///   - minimum: The smallest subtotal that the coupon is valid for; nil for no minimum.
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

  /// Returns the window of time in which the coupon is valid. Compute the window once, not for each
  /// basket.
  ///
  /// - Parameter zone: The zone of the shop, in which the days begin and end.
  /// - Returns: The window, without a start if `firstDay` is nil, and without an end if `lastDay`
  ///   is nil.
  /// - Throws: ``CalendarError/lastDayBeforeFirst(first:last:)``.
  public func window(in zone: Zone) throws(CalendarError) -> Window {
    try Window(firstDay: firstDay, lastDay: lastDay, in: zone)
  }
}

extension Coupon: Decodable {
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
}
