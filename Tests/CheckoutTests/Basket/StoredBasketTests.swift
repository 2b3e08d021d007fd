import Foundation
import Testing

@testable import Checkout

@Suite struct `What a device has stored of a basket` {
  private func basket(_ lines: [(SKU, Int)]) throws -> Basket {
    var basket = Basket()
    basket.clear()
    for (sku, count) in lines { try basket.add(BasketLine(sku, count)) }
    return basket
  }

  /// A basket as the service has it from another device.
  private func other(
    _ id: UUID, _ revision: Int, _ lines: [(SKU, Int)], offers: [UUID] = [UUID()]
  ) throws -> Basket {
    let lines = lines.map { #"{"sku": "\#($0)", "quantity": \#($1)}"# }.joined(separator: ",")
    let offers = offers.map { "\"\($0)\"" }.joined(separator: ",")
    let text =
      #"{"id": "\#(id)", "revision": \#(revision), "lines": [\#(lines)], "offers": [\#(offers)]}"#
    return try JSONDecoder().decode(Basket.self, from: Data(text.utf8))
  }

  private func nextOffer(
    _ stored: inout StoredBasket
  ) throws -> (basket: Basket, replacing: Int?) {
    let offer = stored.nextOffer()
    return try #require(offer)
  }

  /// A stored basket that the service has accepted.
  private func agreed(_ lines: [(SKU, Int)]) throws -> (stored: StoredBasket, kept: Basket) {
    var stored = StoredBasket(try basket(lines))
    let offer = try nextOffer(&stored)
    #expect(offer.replacing == nil)
    #expect(stored.hear(offer.basket) == [])
    #expect(stored.nextOffer() == nil)
    return (stored, offer.basket)
  }

  @Test func `is offered until the service has it, and then not again`() throws {
    var empty = StoredBasket(Basket())
    #expect(empty.nextOffer() == nil)
    var (stored, kept) = try agreed([("mug", 1)])
    #expect(stored.basket == kept && kept.offers.count == 1)
    try stored.basket.add(BasketLine("mug"))
    let offer = try nextOffer(&stored)
    #expect(offer.replacing == kept.revision && offer.basket.offers.count == 2)
    // Unchanged, until the result is known.
    try stored.basket.add(BasketLine("mug"))
    let again = try nextOffer(&stored)
    #expect(again.basket == offer.basket && again.replacing == kept.revision)
    #expect(stored.hear(offer.basket) == [])
    let last = try nextOffer(&stored)
    #expect(try last.basket.lines == [BasketLine("mug", 3)])
    #expect(last.replacing == offer.basket.revision)
  }

  @Test func `is offered again to a service that has lost it`() throws {
    var (stored, kept) = try agreed([("mug", 1)])
    #expect(stored.hear(nil) == [])
    let offer = try nextOffer(&stored)
    #expect(offer.replacing == nil && offer.basket.lines == kept.lines)
  }

  @Test func `forms a new offer after one that was refused`() throws {
    var stored = StoredBasket(try basket([("mug", 1)]))
    let refused = try nextOffer(&stored).basket
    let other = try other(refused.id, 4, [("coffee", 2)])
    #expect(stored.hear(other) == [])
    #expect(try stored.basket.lines == [BasketLine("coffee", 2), BasketLine("mug", 1)])
    let offer = try nextOffer(&stored)
    #expect(offer.replacing == other.revision && offer.basket.lines == stored.basket.lines)
  }

  @Test(arguments: [0, 1]) func `has a change elsewhere merged, also one of an equal revision`(
    further: Int
  ) throws {
    var (stored, kept) = try agreed([("coffee", 2)])
    try stored.basket.add(BasketLine("mug"))
    let other = try other(kept.id, kept.revision + further, [("coffee", 1)])
    #expect(stored.hear(other) == [])
    #expect(try stored.basket.lines == [BasketLine("coffee", 1), BasketLine("mug", 1)])
    #expect(stored.basket.revision > other.revision)
  }

  @Test(arguments: [true, false])
  func `ignores an older copy, whose changes it has`(hasMarks: Bool) throws {
    var (stored, first) = try agreed([("coffee", 1), ("mug", 1)])
    stored.basket.remove("mug")
    let second = try nextOffer(&stored).basket
    #expect(stored.hear(second) == [])
    let older = try other(
      first.id, first.revision, [("coffee", 1), ("mug", 1)], offers: hasMarks ? first.offers : [])
    #expect(stored.hear(older) == [])
    #expect(try stored.basket.lines == [BasketLine("coffee")])
    // It is given to the service again.
    let offer = try nextOffer(&stored)
    #expect(offer.replacing == first.revision && offer.basket.lines == stored.basket.lines)
  }

  @Test func `keeps all of a new copy that is older than the agreed one`() throws {
    var (stored, kept) = try agreed([("coffee", 1), ("mug", 2)])
    let other = try other(kept.id, 1, [("mug", 3)])
    #expect(stored.hear(other) == [])
    #expect(try stored.basket.lines == [BasketLine("mug", 3), BasketLine("coffee", 1)])
  }

  @Test func `has heard something once its copy of the service's has changed`() throws {
    var stored = try agreed([("mug", 1)]).stored
    let before = stored
    #expect(stored.hasHeardNothing(since: before))
    try stored.basket.add(BasketLine("mug"))
    #expect(stored.hasHeardNothing(since: before))
    let offered = try nextOffer(&stored).basket
    #expect(!stored.hasHeardNothing(since: before))
    _ = stored.hear(offered)
    #expect(!stored.hasHeardNothing(since: before))
    // Another buyer's basket is news, though neither has heard from the service.
    let one = StoredBasket(Basket())
    #expect(one.hasHeardNothing(since: one))
    #expect(!one.hasHeardNothing(since: StoredBasket(Basket())))
  }

  @Test func `holds what is in it, agreed or offered`() throws {
    var stored = try agreed([("agreed", 1)]).stored
    stored.basket.use(coupon: "OFFERED")
    try stored.basket.add(BasketLine("offered"))
    stored.basket.remove("agreed")
    _ = try nextOffer(&stored)
    stored.basket.clear()
    try stored.basket.add(BasketLine("here"))
    stored.basket.use(coupon: "HERE")
    for sku in ["agreed", "offered", "here"] as [SKU] { #expect(stored.holds(sku), "\(sku)") }
    #expect(!stored.holds("other" as SKU))
    #expect(stored.holds(coupon: "OFFERED") && stored.holds(coupon: "HERE"))
    #expect(!stored.holds(coupon: "OTHER"))
  }

  @Test func `is written with what is known of the service's copy, if anything is`() throws {
    var stored = StoredBasket(try basket([("mug", 1)]))
    func fields() throws -> [String: Any] {
      let data = try JSONEncoder().encode(stored)
      #expect(try JSONDecoder().decode(StoredBasket.self, from: data) == stored)
      return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
    #expect(try fields()["service"] == nil)
    #expect(try fields()["revision"] as? Int == stored.basket.revision)
    _ = stored.nextOffer()
    #expect(try fields()["service"] != nil)
  }
}
