// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.isolatedAmbients) struct `Price list` {
  private func basket(_ lines: [(SKU, Int)], coupon: String? = nil) throws -> Basket {
    var basket = Basket()
    for (sku, count) in lines { try basket.add(BasketLine(sku, count)) }
    if let coupon { basket.use(coupon: coupon) }
    return basket
  }

  /// A shop that sells a mug for 12.00 USD and a cup for 10.00 EUR, tax included.
  private func shop(_ promotions: [Promotion]) throws -> Shop {
    try Shop(
      name: "Shop", zone: .utc,
      products: [
        Product(sku: "mug", name: "Mug", price: Money("12.00 USD")),
        Product(sku: "tasse", name: "Tasse", price: Money("10.00 EUR")),
      ],
      promotions: promotions,
      tax: TaxSchedule(
        included: true, rates: [.init(from: LocalDate("2007-01-01"), percent: Percentage(19))]))
  }

  private func price(_ basket: Basket, at text: String) throws -> PricedBasket {
    let prices = try Shop.example().prices
    return try Time.freeze(at: text) { try prices.price(basket) }
  }

  @Test(arguments: [
    ("2026-11-26T23:59:59.999-05:00", "28.00 USD", nil),
    ("2026-11-27T00:00:00-05:00", "21.00 USD", "Black Friday"),
    ("2026-11-30T23:59:59.999-05:00", "21.00 USD", "Black Friday"),
    ("2026-12-01T00:00:00-05:00", "28.00 USD", nil),
    ("2026-11-01T00:59:59-04:00", "28.00 USD", nil),
    ("2026-11-01T01:00:00-04:00", "22.40 USD", "The hour that comes twice"),
    ("2026-11-01T01:59:59-05:00", "22.40 USD", "The hour that comes twice"),
    ("2026-11-01T02:00:00-05:00", "28.00 USD", nil),
  ])
  func `a promotion applies at its start, but no longer at its end`(
    at instant: String, subtotal: String, promotion: String?
  ) throws {
    let priced = try price(basket([("coffee", 2)]), at: instant)
    #expect(try priced.subtotal == Money(subtotal))
    #expect(priced.lines[0].promotion == promotion)
  }

  @Test func `the promotion with the largest discount is applied`() throws {
    let priced = try price(basket([("mug", 1)]), at: "2026-11-27T17:00:00-05:00")
    #expect(priced.lines[0].promotion == "Black Friday")  // 3.13 against 1.50
    #expect(try priced.lines[0].unitDiscount == Money("3.13 USD"))
    let later = try price(basket([("mug", 1)]), at: "2026-12-02T17:00:00-05:00")
    #expect(later.lines[0].promotion == "Happy hour")
    #expect(try later.lines[0].unitNet == Money("11.00 USD"))
  }

  @Test(arguments: [["A", "B", "C"], ["B", "C", "A"], ["C", "A", "B"]])
  func `the first of several promotions with the same discount is applied`(names: [String]) throws {
    let offers = [
      "A": try Promotion(name: "A", discount: .percentage(Percentage(25))),
      "B": try Promotion(name: "B", discount: .amount(Money("3.00 USD"))),
      "C": try Promotion(name: "C", discount: .amount(Money("2.99 USD"))),
    ]
    let shop = try shop(names.compactMap { offers[$0] })
    let priced = try shop.prices.price(basket([("mug", 1)]))
    #expect(priced.lines[0].promotion == names.first { $0 != "C" })
  }

  @Test func `a promotion in a currency other than the product's is skipped`() throws {
    let shop = try shop([
      Promotion(name: "Euro", discount: .amount(Money("2.00 EUR"))),
      Promotion(name: "All", discount: .percentage(Percentage(10))),
    ])
    let mug = try shop.prices.price(basket([("mug", 1)])).lines[0]
    #expect(mug.promotion == "All")
    #expect(try mug.unitDiscount == Money("1.20 USD"))
    let cup = try shop.prices.price(basket([("tasse", 1)])).lines[0]
    #expect(cup.promotion == "Euro")
    #expect(try cup.unitDiscount == Money("2.00 EUR"))
  }

  @Test func `a coupon is deducted after promotions and before tax`() throws {
    let basket = try basket([("coffee", 2), ("mug", 1)], coupon: "welcome10")
    let priced = try price(basket, at: "2026-11-27T00:00:00-05:00")
    #expect(try priced.subtotal == Money("30.37 USD"))  // 2 × 10.50 + 9.37
    #expect(try priced.couponDiscount == Money("3.04 USD"))
    #expect(try priced.tax == Money("2.43 USD"))  // 8.875 % of 27.33
    #expect(try priced.total == Money("29.76 USD"))
  }

  @Test func `a coupon is refused after its last day`() throws {
    let basket = try basket([("coffee", 1)], coupon: "WELCOME10")
    _ = try price(basket, at: "2026-12-31T23:59:59.999-05:00")
    let error = CheckoutError.lapsedCoupon("WELCOME10", lastDay: try LocalDate("2026-12-31"))
    #expect(throws: error) { try price(basket, at: "2027-01-01T00:00:00-05:00") }
  }

  @Test func `a coupon is accepted from the first instant of its first day`() throws {
    let basket = try basket([("coffee", 1)], coupon: "summer5")
    let early = CheckoutError.earlyCoupon("SUMMER5", firstDay: try LocalDate("2026-06-01"))
    #expect(throws: early) { try price(basket, at: "2026-05-31T23:59:59.999-04:00") }
    let priced = try price(basket, at: "2026-06-01T00:00:00-04:00")
    #expect(try priced.couponDiscount == Money("5.00 USD") && priced.coupon == "SUMMER5")
  }

  @Test func `a coupon is accepted at its minimum and refused below it`() throws {
    let noon = "2026-11-20T12:00:00-05:00"
    let enough = try price(basket([("mug", 12)], coupon: "BIGSPENDER"), at: noon)
    #expect(try enough.subtotal == Money("150.00 USD"))
    #expect(try enough.couponDiscount == Money("20.00 USD"))
    let less = try basket([("mug", 11), ("filters", 1)], coupon: "BIGSPENDER")
    let error = CheckoutError.couponMinimum("BIGSPENDER", try Money("150.00 USD"))
    #expect(throws: error) { try price(less, at: noon) }
  }

  @Test(arguments: ["SUMMER5", "BIGSPENDER"])
  func `a coupon in a currency other than the basket's is refused`(code: String) throws {
    let poster = try basket([("poster", 100)], coupon: code)
    #expect(throws: CheckoutError.couponCurrency(code, .usd, basket: .eur)) {
      try price(poster, at: "2026-07-01T12:00:00-04:00")
    }
  }

  @Test func `a promotion of one cent applies, and a promotion of zero doesn't`() throws {
    let shop = try shop([
      Promotion(name: "Nothing", discount: .percentage(Percentage(0))),
      Promotion(name: "Cent", discount: .amount(Money("0.01 USD"))),
    ])
    #expect(try shop.prices.price(basket([("mug", 1)])).lines.map(\.promotion) == ["Cent"])
    #expect(try shop.prices.price(basket([("tasse", 1)])).lines.map(\.promotion) == [nil])
  }

  @Test func `a quote locks a price for 15 minutes by default`() throws {
    let quote = try Time.freeze(at: "2026-11-20T12:00:00Z") {
      PriceQuote(try Shop.example().prices.price(basket([("mug", 1)])))
    }
    #expect(quote.lifetime.length == .seconds(900))
    #expect(quote.end.iso8601() == "2026-11-20T12:15:00.000Z")
  }

  @Test func `included tax is computed at the rate that applies on the local date`() throws {
    let shop = try Shop(
      name: "Laden", zone: Zone("Europe/Berlin"),
      products: [Product(sku: "tasse", name: "Tasse", price: Money("11.90 EUR"))],
      tax: try TaxSchedule(
        included: true,
        rates: [
          .init(from: LocalDate("2007-01-01"), percent: Percentage(19)),
          .init(from: LocalDate("2020-07-01"), percent: Percentage(16)),
        ]))
    let basket = try basket([("tasse", 1)])
    for (text, tax) in [
      ("2020-06-30T23:59:59+02:00", "1.90 EUR"), ("2020-07-01T00:00:00+02:00", "1.64 EUR"),
      ("2006-12-31T12:00:00+01:00", "0.00 EUR"),
    ] {
      let priced = try Time.freeze(at: text) { try shop.prices.price(basket) }
      #expect(try priced.tax == Money(tax))
      #expect(try priced.total == Money("11.90 EUR"))
    }
  }

  @Test func `a basket with mixed currencies, no lines or an overflowing total is refused`() throws
  {
    let mixed = try basket([("coffee", 1), ("poster", 1)])
    #expect(throws: CheckoutError.mixedCurrencies("poster", .eur, basket: .usd)) {
      try price(mixed, at: "2026-11-20T12:00:00Z")
    }
    #expect(throws: CheckoutError.emptyBasket) {
      try price(Basket(), at: "2026-11-20T12:00:00Z")
    }
    let shop = try Shop(
      name: "Gold", zone: .utc,
      products: [
        Product(sku: "gold", name: "Gold", price: Money(minorUnits: .max / 1_000, .usd))
      ], tax: try TaxSchedule(rates: []))
    let gold = try basket([("gold", 1_001)])
    #expect(throws: CheckoutError.money(.overflow)) { try shop.prices.price(gold) }
  }
}
