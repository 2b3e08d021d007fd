// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00Z")) struct `Tax calculation` {
  private let start: LocalDate
  private let taxes: TaxSchedule

  init() throws {
    start = try LocalDate("2020-01-01")
    taxes = try Self.schedule(included: true, from: start)
  }

  private static func schedule(included: Bool, from start: LocalDate) throws -> TaxSchedule {
    try TaxSchedule(
      included: included, rates: [.init(from: start, percent: Percentage(19))],
      classes: ["books": [.init(from: start, percent: Percentage(7))], "stamps": []])
  }

  private func product(_ sku: SKU, _ price: Int64, _ taxClass: String?) -> Product {
    Product(
      sku: sku, name: "\(sku)", price: Money(minorUnits: price, .eur), taxClass: taxClass)
  }

  private func prices(
    _ products: [Product], _ taxes: TaxSchedule, _ coupons: [Coupon] = []
  ) throws -> PriceList {
    try Shop(
      name: "Small", zone: Zone("Europe/Berlin"), products: products, coupons: coupons, tax: taxes
    ).prices
  }

  @Test func `tax follows the tax class of each product`() throws {
    let list = try prices(
      [product("pen", 119, nil), product("novel", 1_070, "books"), product("stamp", 80, "stamps")],
      taxes)
    var basket = Basket()
    for sku in ["pen", "novel", "stamp"] as [SKU] { try basket.add(BasketLine(sku)) }
    let priced = try list.price(basket)
    #expect(priced.taxes.map(\.tax.minorUnits) == [19, 70])
    #expect(priced.taxes.map(\.price.minorUnits) == [119, 1_070])
    #expect(priced.tax.minorUnits == 89 && priced.total.minorUnits == 1_269)
    #expect(priced.lines.map(\.tax.minorUnits) == [19, 70, 0])
    #expect(priced.lines.map(\.taxRate?.description) == ["19%", "7%", nil])
  }

  @Test func `tax and the coupon's discount are split over the lines to the cent`() throws {
    var numbers = SeededNumbers(29)
    let classes: [String?] = [nil, "books", "stamps"]
    for round in 0..<10_000 {
      let included = Bool.random(using: &numbers)
      let count = Int.random(in: 1...5, using: &numbers)
      var products: [Product] = []
      var basket = Basket()
      for number in 0..<count {
        let sku = SKU("p\(number)")
        products.append(
          product(
            sku, .random(in: 0...5_000, using: &numbers), classes.randomElement(using: &numbers)!))
        try basket.add(BasketLine(sku, .random(in: 1...9, using: &numbers)))
      }
      let coupon = Coupon(
        code: "X",
        discount: Bool.random(using: &numbers)
          ? .percentage(try Percentage(Decimal(Int.random(in: 0...100, using: &numbers))))
          : .amount(Money(minorUnits: .random(in: 0...9_000, using: &numbers), .eur)))
      if Bool.random(using: &numbers) { basket.use(coupon: "X") }
      let list = try prices(products, Self.schedule(included: included, from: start), [coupon])
      let priced = try list.price(basket)
      func sum(_ path: KeyPath<PricedLine, Money>) -> Int64 {
        priced.lines.reduce(0) { $0 + $1[keyPath: path].minorUnits }
      }
      #expect(sum(\.couponDiscount) == priced.couponDiscount.minorUnits, "\(round)")
      #expect(sum(\.tax) == priced.tax.minorUnits, "\(round)")
      #expect(sum(\.paid) == priced.total.minorUnits, "\(round)")
      for line in priced.lines {
        #expect(line.couponDiscount.minorUnits <= line.total.minorUnits, "\(round)")
        #expect(line.paid.minorUnits >= 0 && line.couponDiscount.minorUnits >= 0, "\(round)")
        // No line has a cent more or less than its part.
        let share =
          Double(priced.couponDiscount.minorUnits)
          * Double(line.total.minorUnits) / Double(max(priced.subtotal.minorUnits, 1))
        #expect(abs(Double(line.couponDiscount.minorUnits) - share) < 1, "\(round)")
      }
      for part in priced.taxes {
        let percent = Double(part.rate.thousandths) / 100_000
        let tax = Double(part.price.minorUnits) * (included ? percent / (1 + percent) : percent)
        #expect(abs(Double(part.tax.minorUnits) - tax) <= 0.5 + 1e-6, "\(round)")
      }
    }
  }

  @Test func `unknown tax classes and unordered rates are refused`() throws {
    #expect(throws: ShopFault.self) { try prices([product("pen", 1, "book")], taxes) }
    do throws(ShopFault) {
      _ = try Shop(
        name: "Small", zone: .utc, products: [product("pen", 1, "book")], tax: taxes)
    } catch {
      #expect(error.field == "products[0].taxClass")
      #expect(error.problem == .unknownTaxClass(nearest: "books"))
    }
    let rate = TaxSchedule.Rate(from: start, percent: try Percentage(7))
    for (rates, classes) in [([rate, rate], [:]), ([], ["books": [rate, rate]]), ([], ["": []])] {
      #expect(throws: ShopFault.self) { try TaxSchedule(rates: rates, classes: classes) }
    }
  }

  @Test func `by default, a TaxSchedule adds tax to prices and has no tax classes`() throws {
    let read = try JSONDecoder().decode(TaxSchedule.self, from: Data(#"{"rates":[]}"#.utf8))
    for schedule in [try TaxSchedule(rates: []), read] {
      #expect(!schedule.included && schedule.rates.isEmpty && schedule.classes.isEmpty)
    }
  }

  @Test func `a refund of goods includes the tax that was paid for them`() async throws {
    Log.instance = NoLog()
    Analytics.instance = NoAnalytics()
    let shop = try Shop(
      name: "Small", zone: Zone("Europe/Berlin"),
      products: [product("pen", 119, nil), product("stamp", 80, "stamps")],
      stock: ["pen": 1, "stamp": 1], tax: taxes)
    let desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
    let order = try await desk.checkout(
      CheckoutRequest(
        [BasketLine("pen"), BasketLine("stamp")], payment: PaymentMethod(.invoice, token: "t")))
    for (sku, tax) in [("stamp", 0), ("pen", 19)] as [(SKU, Int64)] {
      #expect(try await desk.refund(order.id, goods: [BasketLine(sku)]).tax.minorUnits == tax)
    }
  }

  @Test func `a subscription's billing dates are counted from the date of the order`() async throws
  {
    Log.instance = NoLog()
    Analytics.instance = NoAnalytics()
    let shop = try Shop(
      name: "Small", zone: Zone("Europe/Berlin"),
      products: [
        Product(
          sku: "box", name: "A box a month", price: Money(minorUnits: 2_000, .eur),
          billingMonths: 1)
      ], stock: ["box": 5], tax: taxes)
    let desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
    let order = try await Time.freeze(at: "2027-01-31T12:00:00Z") {
      try await desk.checkout(
        CheckoutRequest(
          [BasketLine("box")], payment: PaymentMethod(.invoice, token: "t")))
    }
    #expect(
      try order.billing["box"]?.dates(3).map(\.description)
        == ["2027-02-28", "2027-03-31", "2027-04-30"])
    #expect(throws: ShopFault.self) {
      try Shop(
        name: "Small", zone: Zone("UTC"),
        products: [
          Product(sku: "box", name: "x", price: Money(minorUnits: 1, .eur), billingMonths: 121)
        ], tax: taxes)
    }
  }
}
