// SPDX-License-Identifier: Apache-2.0

/// A shop: its products, stock, promotions, coupons, tax and zone.
///
/// It is read from a JSON file (see ``init(contentsOf:)``). Each initializer checks the shop: SKUs
/// and coupon codes are unique, promotions and stock refer to existing products, promotions and
/// coupons end after they start, and no amount is negative. A shop never changes; its current stock
/// is in a ``ShopStore``.
public struct Shop: Sendable {
  /// The display name.
  public let name: String
  /// The zone of the shop's dates and times.
  public let zone: Zone
  /// The products for sale.
  public let catalogue: Catalogue
  /// The initial number of items of each product; zero for products that are not listed.
  public let stock: [SKU: Int]
  /// The discounts for all buyers.
  public let promotions: [Promotion]
  /// The discounts for buyers with a code.
  public let coupons: [Coupon]
  /// The rates of tax, and whether prices include them.
  public let tax: TaxSchedule
  /// The terms of shipping, or nil if the shop states none.
  public let shipping: ShippingTerms?
  /// The times for which the shop locks prices, reserves goods, keeps the keys of orders, and waits
  /// for its payment service.
  public let terms: CheckoutTerms
  /// The prices, with the start and end of each promotion and coupon resolved to instants.
  public let prices: PriceList
  /// The rule for the dates on which parcels arrive, or nil if the shop states no terms of
  /// shipping.
  public let delivery: Delivery?
  /// The number of days after the delivery in which goods may be returned, or nil if they may not.
  public let withdrawalDays: Int?
  /// The right to return goods, or nil if there is none.
  public let withdrawal: WithdrawalRight?

  /// The dates on which the subscriptions among the products are billed again.
  func billing(of products: [SKU], from day: LocalDate) -> [SKU: BillingSchedule] {
    var schedules: [SKU: BillingSchedule] = [:]
    for sku in products {
      guard let months = try? catalogue.product(sku).billingMonths else { continue }
      schedules[sku] = try? BillingSchedule(anchor: day, stepMonths: months)
    }
    return schedules
  }

  /// Creates a shop.
  ///
  /// - Parameters:
  ///   - name: The display name, which must not be empty.
  ///   - zone: The zone of the shop's dates and times.
  ///   - products: The products for sale, each SKU once.
  ///   - stock: The initial number of items of each product; zero for products that are not listed.
  ///   - promotions: The discounts for all buyers.
  ///   - coupons: The discounts for buyers with a code.
  ///   - tax: The rates of tax, and whether prices include them.
  ///   - shipping: The terms of shipping; nil for none.
  ///   - terms: The times for which the shop locks prices, reserves goods, keeps the keys of
  ///     orders, and waits for its payment service.
  ///   - withdrawalDays: The number of days after the delivery in which goods may be returned; nil
  ///     if they may not.
  /// - Throws: ``ShopFault``, which names the invalid field.
  public init(
    name: String, zone: Zone, products: [Product], stock: [SKU: Int] = [:],
    promotions: [Promotion] = [], coupons: [Coupon] = [], tax: TaxSchedule,
    shipping: ShippingTerms? = nil, terms: CheckoutTerms = .standard, withdrawalDays: Int? = nil
  ) throws(ShopFault) {
    self.name = name
    self.zone = zone
    self.catalogue = Catalogue(products)
    self.stock = stock
    self.promotions = promotions
    self.coupons = coupons
    self.tax = tax
    self.shipping = shipping
    self.terms = terms
    self.withdrawalDays = withdrawalDays
    guard !name.isEmpty else { throw ShopFault("name", .empty) }
    try Self.check(products: products, tax)
    try Self.check(stock: stock, catalogue)
    try Self.check(promotions: promotions, catalogue, zone)
    try Self.check(coupons: coupons, catalogue, zone)
    try Self.check(shipping: shipping)
    delivery = try ShopFault.at("shipping.daysOff") { () throws(CalendarError) in
      try shipping?.delivery(in: zone)
    }
    withdrawal = try ShopFault.at("withdrawalDays") { () throws(CalendarError) in
      guard let withdrawalDays else { return nil }
      let calendar = try BusinessCalendar(
        daysOff: Set(shipping?.daysOff ?? []), holidays: Set(shipping?.holidays ?? []))
      return try WithdrawalRight(days: withdrawalDays, calendar: calendar, zone: zone)
    }
    let catalogue = catalogue
    prices = try ShopFault.at("promotions") { () throws(CalendarError) in
      try PriceList(
        catalogue: catalogue, promotions: promotions, coupons: coupons, tax: tax, zone: zone)
    }
  }
}
