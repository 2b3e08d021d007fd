// SPDX-License-Identifier: Apache-2.0

extension Shop {
  static func check(products: [Product], _ tax: TaxSchedule) throws(ShopFault) {
    var seen: Set<SKU> = []
    for (index, product) in products.enumerated() {
      let field = "products[\(index)]"
      guard !product.sku.rawValue.isEmpty else { throw ShopFault("\(field).sku", .empty) }
      guard product.sku.isWritable else { throw ShopFault("\(field).sku", .unwritableSKU) }
      guard seen.insert(product.sku).inserted else {
        throw ShopFault("\(field).sku", .duplicate("\(product.sku)"))
      }
      guard !product.name.isEmpty else { throw ShopFault("\(field).name", .empty) }
      guard !product.price.isNegative else { throw ShopFault("\(field).price", .negative) }
      if let name = product.taxClass, tax.classes[name] == nil {
        let nearest = NearestWord.find(for: name, in: tax.classes.keys.sorted())
        throw ShopFault("\(field).taxClass", .unknownTaxClass(nearest: nearest))
      }
      if let months = product.billingMonths, !BillingSchedule.steps.contains(months) {
        throw ShopFault(
          "\(field).billingMonths", .calendar(.outOfRange(months, BillingSchedule.steps)))
      }
      // A single item of each product must be payable: its price with tax must not overflow.
      for rate in tax.rates(of: product.taxClass) where !tax.included {
        do throws(MoneyError) { _ = try product.price.adding(rate.percent.of(product.price)) } catch
        {
          throw ShopFault("\(field).price", .money(error))
        }
      }
    }
  }

  static func check(stock: [SKU: Int], _ catalogue: Catalogue) throws(ShopFault) {
    for (sku, count) in stock.sorted(by: { $0.key < $1.key }) {
      try check(sku, "stock.\(sku)", catalogue)
      guard count >= 0 else { throw ShopFault("stock.\(sku)", .negative) }
      guard count <= 1_000_000_000 else {
        throw ShopFault("stock.\(sku)", .calendar(.outOfRange(count, 0...1_000_000_000)))
      }
    }
  }

  static func check(
    promotions: [Promotion], _ catalogue: Catalogue, _ zone: Zone
  ) throws(ShopFault) {
    for (index, promotion) in promotions.enumerated() {
      let field = "promotions[\(index)]"
      guard !promotion.name.isEmpty else { throw ShopFault("\(field).name", .empty) }
      _ = try ShopFault.at("\(field).end") { () throws(CalendarError) in
        try promotion.window(in: zone)
      }
      for sku in promotion.skus?.sorted() ?? [] { try check(sku, "\(field).skus", catalogue) }
      try check(
        amountOf: promotion.discount, field,
        catalogue.products.filter { promotion.skus?.contains($0.sku) ?? true })
    }
  }

  /// Checks the amount of a discount, unless the discount is a percentage. A negative amount would
  /// raise the price. An amount in a currency that no product has would never apply.
  private static func check(
    amountOf discount: Discount, _ field: String, _ products: [Product],
    _ name: String = "amountOff"
  ) throws(ShopFault) {
    guard case .amount(let amount) = discount else { return }
    guard !amount.isNegative else { throw ShopFault("\(field).\(name)", .negative) }
    guard let first = products.first,
      !products.contains(where: { $0.price.currency == amount.currency })
    else { return }
    throw ShopFault(
      "\(field).\(name)", .otherCurrency(amount.currency, products: first.price.currency))
  }

  static func check(
    coupons: [Coupon], _ catalogue: Catalogue, _ zone: Zone
  ) throws(ShopFault) {
    var seen: Set<String> = []
    for (index, coupon) in coupons.enumerated() {
      let field = "coupons[\(index)]"
      guard !coupon.code.isEmpty else { throw ShopFault("\(field).code", .empty) }
      guard seen.insert(coupon.code).inserted else {
        throw ShopFault("\(field).code", .duplicate(coupon.code))
      }
      _ = try ShopFault.at("\(field).lastDay") { () throws(CalendarError) in
        try coupon.window(in: zone)
      }
      try check(amountOf: coupon.discount, field, catalogue.products)
      if let minimum = coupon.minimum {
        try check(amountOf: .amount(minimum), field, catalogue.products, "minimum")
      }
    }
  }

  static func check(shipping: ShippingTerms?) throws(ShopFault) {
    guard let shipping else { return }
    let least = min(max(shipping.minimumTransitDays, 0), Delivery.days.upperBound)
    for (field, days, range) in [
      ("processingDays", shipping.processingDays, Delivery.days),
      ("minimumTransitDays", shipping.minimumTransitDays, Delivery.days),
      ("maximumTransitDays", shipping.maximumTransitDays, least...Delivery.days.upperBound),
    ] where !range.contains(days) {
      throw ShopFault("shipping.\(field)", .calendar(.outOfRange(days, range)))
    }
  }

  private static func check(
    _ sku: SKU, _ field: String, _ catalogue: Catalogue
  ) throws(ShopFault) {
    do throws(CheckoutError) { _ = try catalogue.product(sku) } catch {
      throw ShopFault(field, .checkout(error))
    }
  }
}
