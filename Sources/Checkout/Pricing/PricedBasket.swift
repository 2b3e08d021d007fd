// SPDX-License-Identifier: Apache-2.0

/// A basket with its prices at one instant.
public struct PricedBasket: Hashable, Sendable, Codable {
  /// The lines.
  public let lines: [PricedLine]
  /// The price of all lines, after promotions.
  public let subtotal: Money
  /// The code of the coupon, or nil if there is none.
  public let coupon: String?
  /// The coupon's discount on the subtotal.
  public let couponDiscount: Money
  /// The tax of each rate, in the order in which the lines first use the rates. Empty if no rate
  /// was in force on the date of the prices.
  public let taxes: [TaxedSum]
  /// The sum of all taxes, added to the prices or included in them as `taxIncluded` says.
  public let tax: Money
  /// Whether the prices include the tax.
  public let taxIncluded: Bool
  /// The total to pay.
  public let total: Money

  /// The currency of all amounts.
  public var currency: Currency { total.currency }
}

/// The part of a basket that is taxed at one rate.
public struct TaxedSum: Hashable, Sendable, Codable {
  /// The rate.
  public let rate: Percentage
  /// The price of the lines with that rate, after the coupon.
  public let price: Money
  /// The tax added to that price or included in it, rounded once.
  public let tax: Money
}

/// A line of a basket with its price.
public struct PricedLine: Hashable, Sendable, Codable {
  /// The product's SKU.
  public let sku: SKU
  /// The product's display name.
  public let name: String
  /// The number of items.
  public let quantity: Int
  /// The price of one item, before discounts.
  public let unitPrice: Money
  /// The promotion's discount on each item.
  public let unitDiscount: Money
  /// The price of one item, after the promotion.
  public let unitNet: Money
  /// The name of the promotion, or nil if there is none.
  public let promotion: String?
  /// The price of all items, after the promotion.
  public let total: Money
  /// The line's share of the coupon's discount.
  public internal(set) var couponDiscount: Money
  /// The rate of tax; nil if no rate was in force on the date of the prices.
  public let taxRate: Percentage?
  /// The line's share of the tax.
  public internal(set) var tax: Money
  /// The amount paid for the line, after the coupon and with tax. The sum of these amounts is
  /// exactly the basket's total.
  public internal(set) var paid: Money
}
