import Foundation
import Testing

@testable import Checkout

@Suite struct `A basket` {
  private func basket(
    _ lines: [(SKU, Int)], coupon: String? = nil
  ) throws -> Basket {
    var basket = Basket()
    basket.clear()
    for (sku, count) in lines { try basket.add(BasketLine(sku, count)) }
    if let coupon { basket.use(coupon: coupon) }
    return basket
  }

  @Test func `counts each change, and no call that changes nothing`() throws {
    var basket = Basket()
    #expect(basket.revision == 0 && basket.isEmpty && basket.coupon == nil)
    try basket.add(BasketLine("coffee"))
    try basket.add(BasketLine("coffee", 2))
    #expect(basket.revision == 2)
    #expect(try basket.lines == [BasketLine("coffee", 3)])
    #expect(throws: CheckoutError.self) { try basket.add(BasketLine("coffee", 999_998)) }
    #expect(basket.remove("mug") == nil)
    basket.subtract([try BasketLine("mug")])
    #expect(basket.revision == 2)
    basket.subtract([try BasketLine("mug"), try BasketLine("coffee")])
    #expect(basket.revision == 3)
    #expect(try basket.lines == [BasketLine("coffee", 2)])
    basket.use(coupon: "welcome10")
    #expect(basket.revision == 4 && basket.coupon == "WELCOME10")
    basket.clear()
    #expect(basket.revision == 5 && basket.isEmpty && basket.coupon == nil)
  }

  @Test(arguments: [(1, 2), (2, 1), (3, nil), (4, nil)] as [(Int, Int?)])
  func `has goods subtracted as far as it has them`(count: Int, left: Int?) throws {
    var basket = try basket([("mug", 1), ("coffee", 3), ("grinder", 1)])
    basket.subtract([try BasketLine("coffee", count)])
    var lines = [try BasketLine("mug")]
    if let left { lines.append(try BasketLine("coffee", left)) }
    #expect(try basket.lines == lines + [BasketLine("grinder")])
  }

  @Test func `takes a million of a product, and no more`() throws {
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

  @Test func `keeps the marks of its last 32 offers, also in JSON`() throws {
    var basket = Basket()
    var marks: [UUID] = []
    for _ in 0..<34 {
      basket.markOffer()
      marks += basket.offers.suffix(1)
    }
    #expect(Set(marks).count == 34 && basket.offers == marks.suffix(32))
    let data = try JSONEncoder().encode(basket)
    #expect(try JSONDecoder().decode(Basket.self, from: data) == basket)
  }

  @Test func `is a copy of one with equal content, revision and last offer`() throws {
    let first = try basket([("mug", 1)], coupon: "A")
    var (offered, other) = (first, first)
    #expect(first.isCopy(of: first))
    offered.markOffer()
    other.markOffer()
    // Some services keep no marks.
    #expect(first.isCopy(of: offered) && offered.isCopy(of: first) && offered.isCopy(of: offered))
    #expect(!offered.isCopy(of: other))
    var later = first
    later.use(coupon: "A")
    #expect(!later.isCopy(of: first) && !first.isCopy(of: later))
    let (coupon, lines) = (
      try basket([("mug", 1)], coupon: "B"), try basket([("mug", 2)], coupon: "A")
    )
    #expect(coupon.revision == first.revision && !coupon.isCopy(of: first))
    #expect(lines.revision == first.revision && !lines.isCopy(of: first))
  }

  @Test func `descends from a copy of itself, and from one whose offer it has a mark of`() throws {
    var first = try basket([("mug", 1)])
    #expect(first.descends(from: first))
    #expect(try !first.descends(from: basket([("mug", 2)])))
    first.markOffer()
    var second = first
    try second.add(BasketLine("coffee"))
    #expect(second.descends(from: first))
    second.markOffer()
    #expect(second.descends(from: first) && !first.descends(from: second))
    var rival = first
    rival.clear()
    rival.markOffer()
    #expect(!second.descends(from: rival))
  }

  @Test(
    arguments: [
      // Here, there and at the base; then merged.
      (3, 5, 2, 6), (1, 5, 2, 4), (2, 5, 2, 5), (0, 5, 2, 3), (0, 1, 2, 0), (0, 2, 2, 0),
      (1, 0, 2, 0), (3, 0, 2, 1), (1, 0, 1, 0), (0, 1, 0, 1), (1, 0, 0, 1), (2, 3, nil, 3),
      (3, 2, nil, 3), (1, 0, nil, 1), (0, 1, nil, 1), (2, 2, nil, 2),
      (500_001, 500_000, 1, 1_000_000), (500_000, 500_001, 0, nil),
    ] as [(Int, Int, Int?, Int?)])
  func `is merged with another by what was added and removed`(
    here: Int, there: Int, base: Int?, merged: Int?
  ) throws {
    let mug = SKU("mug")
    func mugs(_ count: Int) throws -> Basket { try basket(count > 0 ? [(mug, count)] : []) }
    let other = try mugs(there)
    let (result, conflicts) = try mugs(here).merging(other, since: try base.map(mugs))
    #expect(result.id == other.id)
    #expect(result.lines.map(\.quantity) == [merged ?? 1_000_000].filter { $0 > 0 })
    #expect(conflicts == (merged == nil ? [.quantity("mug", 1_000_001, kept: 1_000_000)] : []))
  }

  @Test(
    arguments: [
      // Here, there and at the base; then merged, and whether the one here is lost.
      ("A", "B", "B", "A", false), ("B", "A", "B", "A", false), ("A", "A", "B", "A", false),
      ("A", "C", "B", "C", true), (nil, "C", "B", "C", true), ("A", nil, "B", nil, true),
      (nil, "B", "B", nil, false), ("A", "B", nil, "B", true), ("A", nil, nil, "A", false),
      (nil, "B", nil, "B", false),
    ] as [(String?, String?, String?, String?, Bool)])
  func `has the coupon that only one has changed, or else the other's`(
    here: String?, there: String?, base: String?, merged: String?, isLost: Bool
  ) throws {
    let lines = [("mug" as SKU, 1)]
    let other = try basket(lines, coupon: there)
    let (result, conflicts) = try basket(lines, coupon: here).merging(
      other, since: basket(lines, coupon: base))
    #expect(result.coupon == merged)
    #expect(conflicts == (isLost ? [.coupon(here, kept: there)] : []))
  }

  @Test func `has a revision above both copies if it differs from the other's, or else that`()
    throws
  {
    let base = try basket([("mug", 1)])
    var (here, there) = (base, base)
    for _ in 0..<5 { try here.add(BasketLine("mug")) }
    try there.add(BasketLine("coffee"))
    #expect(here.merging(there, since: base).basket.revision == here.revision + 1)
    #expect(there.merging(here, since: base).basket.revision == here.revision + 1)
    #expect(base.merging(there, since: base).basket == there)
    #expect(here.merging(base, since: base).basket.revision == here.revision + 1)
    #expect(
      try here.merging(there, since: base).basket.lines == [
        BasketLine("mug", 6), BasketLine("coffee"),
      ])
  }
}
