/// A shop: what it sells, what it has, what it takes off and when, its tax and its zone.
///
/// It is read from a file of JSON (see ``init(contentsOf:)``), and is valid once it is made: names
/// are there once, promotions and coupons speak of products that exist, windows end after they
/// start, and nothing is negative. A shop does not change; its stock does, in a ``ShopStore``.
public struct Shop: Sendable {
  /// The name for people.
  public let name: String
  /// The zone in which its dates and times are.
  public let zone: Zone
  /// The products for sale.
  public let catalogue: Catalogue
  /// The stock of each product; zero for products that are not listed.
  public let stock: [SKU: Int]
  /// The discounts for all buyers.
  public let promotions: [Promotion]
  /// The discounts for buyers with a code.
  public let coupons: [Coupon]
  /// Its tax.
  public let tax: TaxSchedule
  /// The terms of shipping, or nil if the shop states none.
  public let shipping: ShippingTerms?
  /// The times for which agreements with a buyer are kept.
  public let terms: CheckoutTerms
  /// The prices, with all windows resolved.
  public let prices: PriceList
  /// The arrival of parcels, or nil if the shop states no terms of shipping.
  public let delivery: Delivery?
  /// How many days after the delivery goods may be sent back, or nil for a shop without that right.
  public let withdrawalDays: Int?
  /// The right to send goods back, or nil if there is none.
  public let withdrawal: WithdrawalRight?

  /// The dates on which those of the products that are subscriptions are billed again.
  func billing(of products: [SKU], from day: LocalDate) -> [SKU: BillingSchedule] {
    var schedules: [SKU: BillingSchedule] = [:]
    for sku in products {
      guard let months = try? catalogue.product(sku).billingMonths else { continue }
      schedules[sku] = try? BillingSchedule(anchor: day, stepMonths: months)
    }
    return schedules
  }

  /// A shop.
  ///
  /// - Parameters:
  ///   - name: The name for people, which is not empty.
  ///   - zone: The zone in which its dates and times are.
  ///   - products: The products for sale, each SKU once.
  ///   - stock: The stock of each product; zero for products that are not listed.
  ///   - promotions: The discounts for all buyers.
  ///   - coupons: The discounts for buyers with a code.
  ///   - tax: The rates of tax, and whether prices include them.
  ///   - shipping: The terms of shipping; nil for none.
  ///   - terms: The times for which agreements with a buyer are kept.
  ///   - withdrawalDays: How many days after the delivery goods may be sent back; nil for none.
  /// - Throws: ``ShopFault``, which says which field is wrong.
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
