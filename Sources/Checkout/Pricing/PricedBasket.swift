/// What a basket costs at one instant.
public struct PricedBasket: Hashable, Sendable, Codable {
  /// The lines.
  public let lines: [PricedLine]
  /// The price of all lines, after promotions.
  public let subtotal: Money
  /// The code of the coupon, or nil if there is none.
  public let coupon: String?
  /// What the coupon takes off the subtotal.
  public let couponDiscount: Money
  /// The rate of tax, or nil if there is none on that date.
  public let taxRate: Percentage?
  /// The tax: added to the prices, or the part of them that it is.
  public let tax: Money
  /// Whether the prices hold the tax already.
  public let taxIncluded: Bool
  /// What is to be paid.
  public let total: Money

  /// The currency of all amounts.
  public var currency: Currency { total.currency }
}
