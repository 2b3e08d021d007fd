internal import Ambient
internal import Checkout
internal import Foundation

extension Suite {
  /// The rules of time through the context and as an argument, and a store that fills.
  static let checkout = Suite(
    name: "checkout", abstract: "pricing a basket through Time, and keeping goods for many buyers"
  ) { bench in
    Log.instance = NoLog()
    let now = try Date(iso8601: "2026-11-27T12:00:00-05:00")
    try await Time.withInstance(FixedTime(at: now)) {
      let prices = try Shop.example().prices
      let basket = try fiveLines()
      try await bench.measure(
        "pricing five lines with a promotion and a coupon",
        floor: Case("the instant as an argument", allowance: 20) { count in
          try carry(count) { try $0 &+ number(prices.price(basket, at: now)) }
        },
        [
          Case("through Time.now", allowance: 20) { count in
            try carry(count) { try $0 &+ number(prices.price(basket)) }
          }
        ])
      try await bench.measure(
        "keeping goods, of that many that are kept", floor: try reserving(1_000),
        [try reserving(16_000)])
    }
  }
}

private func fiveLines() throws -> Basket {
  var basket = Basket()
  for sku in ["coffee", "mug", "grinder", "filters", "liqueur"] as [SKU] {
    try basket.add(BasketLine(sku, 2))
  }
  basket.use(coupon: "WELCOME10")
  return basket
}

private func number(_ priced: PricedBasket) -> Int { Int(priced.total.minorUnits) }

/// A call keeps one more; the heap of lapses and the tables grow meanwhile.
private func reserving(_ count: Int) throws -> Case {
  let shop = try Shop(
    name: "Large", zone: Zone("UTC"),
    products: [Product(sku: "coffee", name: "Coffee", price: Money("1.00 USD"))],
    stock: ["coffee": 1_000_000], tax: TaxSchedule(rates: []))
  let lines = [try BasketLine("coffee")]
  return Case("\(count)", calls: count, allowance: 6) { calls in
    let store = ShopStore(shop)
    for _ in 0..<calls { _ = try store.reserve(lines, for: .seconds(900)) }
    return store.available("coffee")
  }
}
