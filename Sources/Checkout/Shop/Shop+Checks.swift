extension Shop {
  static func check(products: [Product]) throws(ShopFault) {
    var seen: Set<SKU> = []
    for (index, product) in products.enumerated() {
      let field = "products[\(index)]"
      guard !product.sku.rawValue.isEmpty else { throw ShopFault("\(field).sku", .empty) }
      guard seen.insert(product.sku).inserted else {
        throw ShopFault("\(field).sku", .duplicate("\(product.sku)"))
      }
      guard !product.name.isEmpty else { throw ShopFault("\(field).name", .empty) }
      guard !product.price.isNegative else { throw ShopFault("\(field).price", .negative) }
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
    }
  }

  static func check(coupons: [Coupon], _ zone: Zone) throws(ShopFault) {
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
      guard coupon.minimum?.isNegative != true else {
        throw ShopFault("\(field).minimum", .negative)
      }
    }
  }

  static func check(tax: TaxSchedule) throws(ShopFault) {
    for (index, rates) in zip(tax.rates, tax.rates.dropFirst()).enumerated()
    where rates.0.from >= rates.1.from {
      throw ShopFault("tax.rates[\(index + 1)].from", .unordered)
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
