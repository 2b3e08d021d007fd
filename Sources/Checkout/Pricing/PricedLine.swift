/// A line of a basket with its price.
public struct PricedLine: Hashable, Sendable, Codable {
  /// The product.
  public let sku: SKU
  /// Its name for people.
  public let name: String
  /// How many.
  public let quantity: Int
  /// The price of one, before discounts.
  public let unitPrice: Money
  /// What the promotion takes off each.
  public let unitDiscount: Money
  /// The price of one, after the promotion.
  public let unitNet: Money
  /// The promotion, or nil if there is none.
  public let promotion: String?
  /// The price of all, after the promotion.
  public let total: Money
}
