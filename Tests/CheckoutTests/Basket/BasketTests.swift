// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Checkout

@Suite struct `Basket lines` {
  private func basket(
    _ lines: [(SKU, Int)], coupon: String? = nil
  ) throws -> Basket {
    var basket = Basket()
    basket.clear()
    for (sku, count) in lines { try basket.add(BasketLine(sku, count)) }
    if let coupon { basket.use(coupon: coupon) }
    return basket
  }

  @Test func `a basket merges lines of one product and stores its coupon in capitals`() throws {
    var basket = Basket()
    #expect(basket.isEmpty && basket.coupon == nil)
    try basket.add(BasketLine("coffee"))
    try basket.add(BasketLine("coffee", 2))
    #expect(try basket.lines == [BasketLine("coffee", 3)])
    #expect(throws: CheckoutError.self) { try basket.add(BasketLine("coffee", 999_998)) }
    #expect(basket.remove("mug") == nil)
    basket.subtract([try BasketLine("mug"), try BasketLine("coffee")])
    #expect(try basket.lines == [BasketLine("coffee", 2)])
    basket.use(coupon: "welcome10")
    #expect(basket.coupon == "WELCOME10")
    basket.clear()
    #expect(basket.isEmpty && basket.coupon == nil)
  }

  @Test(arguments: [(1, 2), (2, 1), (3, nil), (4, nil)] as [(Int, Int?)])
  func `subtracting goods reduces a basket line and removes a line without units`(
    count: Int, left: Int?
  ) throws {
    var basket = try basket([("mug", 1), ("coffee", 3), ("grinder", 1)])
    basket.subtract([try BasketLine("coffee", count)])
    var lines = [try BasketLine("mug")]
    if let left { lines.append(try BasketLine("coffee", left)) }
    #expect(try basket.lines == lines + [BasketLine("grinder")])
  }

  @Test func `a basket holds at most a million units of a product`() throws {
    let most = try BasketLine("mug", 1_000_000)
    #expect(throws: CheckoutError.quantityTooLarge("mug", limit: 1_000_000)) {
      try BasketLine("mug", 1_000_001)
    }
    #expect(throws: CheckoutError.quantityNotPositive("mug", 0)) { try BasketLine("mug", 0) }
    #expect(try BasketLine("mug").quantity == 1)
    var basket = try basket([("mug", 999_999)])
    try basket.add(BasketLine("mug"))
    #expect(basket.lines == [most])
    #expect(throws: CheckoutError.quantityTooLarge("mug", limit: 1_000_000)) {
      try basket.add(BasketLine("mug"))
    }
  }

  @Test(arguments: [(3, 1, 2), (2, 2, nil), (1, 3, nil), (2, 0, 2), (0, 2, nil)])
  func `Basket.goods(missingIn) lists the goods that another basket lacks`(
    here: Int, there: Int, missing: Int?
  )
    throws
  {
    func mugs(_ count: Int) throws -> Basket {
      try basket([("coffee", 1), ("mug", count)].filter { $0.1 > 0 })
    }
    let goods = try mugs(here).goods(missingIn: mugs(there))
    #expect(try goods == missing.map { [try BasketLine("mug", $0)] } ?? [])
  }
}
