import Ambient
import AmbientTesting
import Foundation
import Testing

@testable import Checkout

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `A basket's client` {
  private let store = MemoryBasketStore()
  private let service = MemoryBasketService()
  private let log = LogRecorder()

  private func makeClient() throws -> BasketClient {
    Log.instance = log
    return BasketClient(store: store, service: service, prices: try Shop.example().prices)
  }

  @Test func `keeps the basket here and there`() async throws {
    let basket = try await makeClient().add("coffee", 2)
    #expect(store.load() == basket)
    #expect(try await service.fetch(basket.id) == basket)
  }

  @Test func `removes products, and writes nothing if there are none`() async throws {
    let client = try makeClient()
    try await client.remove("mug")
    #expect(store.load() == nil)
    let recorder = AnalyticsRecorder()
    Analytics.instance = recorder
    try await client.add("mug", 3)
    #expect(try await client.remove("mug").isEmpty)
    let mug = try client.prices.catalogue.product("mug")
    #expect(
      recorder.events == [.addToCart(mug, quantity: 3), .removeFromCart(mug, quantity: 3)])
  }

  @Test func `counts each change in the revision, and nothing else`() async throws {
    let client = try makeClient()
    let revisions = [
      try await client.add("coffee", 2).revision, try await client.add("mug").revision,
      try await client.add("mug").revision, try await client.use(coupon: "WELCOME10").revision,
      try await client.remove("grinder").revision, try await client.remove("mug").revision,
      try await client.use(coupon: nil).revision, try await client.clear().revision,
    ]
    #expect(revisions == [1, 2, 3, 4, 4, 5, 6, 7])
  }

  @Test func `adds to the line of the same product`() async throws {
    let client = try makeClient()
    try await client.add("coffee", 2)
    try await client.add("mug")
    let basket = try await client.add("coffee", 3)
    #expect(basket.lines == [try BasketLine("coffee", 5), try BasketLine("mug", 1)])
  }

  @Test(arguments: [
    (SKU("cofee"), 1, CheckoutError.unknownSKU("cofee", nearest: "coffee")),
    ("mug", 0, .quantityNotPositive("mug", 0)), ("mug", -3, .quantityNotPositive("mug", -3)),
    ("mug", .max, .quantityTooLarge("mug", limit: 1_000_000)),
    ("mug", .min, .quantityNotPositive("mug", .min)),
    ("coffee", BasketLine.limit, .quantityTooLarge("coffee", limit: 1_000_000)),
    ("poster", 1, .mixedCurrencies("poster", .eur, basket: .usd)),
  ])
  func `leaves the basket as it was when a line is wrong`(
    sku: SKU, quantity: Int, error: CheckoutError
  ) async throws {
    let client = try makeClient()
    let before = try await client.add("coffee", 2)
    await #expect(throws: error) { try await client.add(sku, quantity) }
    #expect(store.load() == before)
    #expect(try await service.fetch(before.id) == before)
  }

  @Test func `adds all of the lines and the coupon, or nothing`() async throws {
    let client = try makeClient()
    let before = try await client.add("coffee", 2)
    let lines = [try BasketLine("mug"), try BasketLine("bicycle")]
    await #expect(throws: CheckoutError.unknownSKU("bicycle", nearest: nil)) {
      try await client.add(lines)
    }
    await #expect(throws: CheckoutError.unknownCoupon("WELCOM10", nearest: "WELCOME10")) {
      try await client.add([try BasketLine("mug")], coupon: "WELCOM10")
    }
    #expect(store.load() == before)
  }

  @Test func `takes coupons that are valid now`() async throws {
    let client = try makeClient()
    let before = try await client.add("coffee", 2)
    let errors: [(String, CheckoutError)] = [
      ("SUMMER5", .lapsedCoupon("SUMMER5", lastDay: try LocalDate("2026-08-31"))),
      ("bigspender", .couponMinimum("BIGSPENDER", try Money("150.00 USD"))),
      ("nothing", .unknownCoupon("nothing", nearest: nil)),
    ]
    for (code, error) in errors {
      await #expect(throws: error) { try await client.use(coupon: code) }
    }
    try await Time.freeze(at: "2026-05-31T23:59:59.999-04:00") {
      let early = CheckoutError.earlyCoupon("SUMMER5", firstDay: try LocalDate("2026-06-01"))
      await #expect(throws: early) { try await client.use(coupon: "SUMMER5") }
    }
    #expect(store.load() == before)
    #expect(try await client.use(coupon: "welcome10").coupon == "WELCOME10")
    #expect(try await client.use(coupon: nil).coupon == nil)
  }

  @Test func `goes on without the service, and offers the basket later`() async throws {
    Log.instance = log
    let client = BasketClient(
      store: store, service: UnreachableService(), prices: try Shop.example().prices)
    let basket = try await client.add("coffee")
    #expect(store.load() == basket)
    #expect(try await client.synchronize() == basket)
    #expect(log.told.count { $0 == "warning basket service not written" } == 1)
    #expect(log.told.count { $0 == "warning basket service not read" } == 1)
    let online = BasketClient(
      store: store, service: service, prices: try Shop.example().prices)
    try await online.synchronize()
    #expect(try await service.fetch(basket.id) == basket)
  }

  @Test func `takes over what another device has done since`() async throws {
    let client = try makeClient()
    let basket = try await client.add("coffee")
    let elsewhere = BasketClient(
      store: MemoryBasketStore(basket), service: service, prices: client.prices)
    let newer = try await elsewhere.add("mug")
    #expect(try await client.synchronize() == newer)
    #expect(store.load() == newer)
    #expect(log.told.contains("info basket merged with another device's"))
  }

  @Test func `tells the service that the basket was emptied while it was out of reach`()
    async throws
  {
    let client = try makeClient()
    try await client.add("coffee")
    let offline = BasketClient(
      store: store, service: UnreachableService(), prices: client.prices)
    let empty = try await offline.clear()
    #expect(try await service.fetch(empty.id)?.isEmpty == false)
    #expect(try await client.synchronize() == empty)
    #expect(try await service.fetch(empty.id) == empty)
  }

  @Test func `adds a coupon alone, to lines that it fits or to none`() async throws {
    let client = try makeClient()
    #expect(try await client.add([], coupon: "bigspender").coupon == "BIGSPENDER")
    try await client.clear()
    try await client.add("coffee", 2)
    #expect(try await client.add([], coupon: "welcome10").coupon == "WELCOME10")
    let error = CheckoutError.couponMinimum("BIGSPENDER", try Money("150.00 USD"))
    await #expect(throws: error) { try await client.add([], coupon: "bigspender") }
    #expect(store.load()?.coupon == "WELCOME10")
  }

  @Test func `keeps the last hundred changes that were lost, oldest first`() async throws {
    let client = try makeClient()
    for number in 0...100 {
      try store.change { $0.use(coupon: "HERE\(number)") }
      let before = try await client.stored()
      var other = before.basket
      other.use(coupon: "THERE\(number)")
      other.markOffer()
      try await client.hear(other, since: before)
    }
    let conflicts = await client.conflicts
    #expect(
      conflicts
        == (1...100).map { .coupon("HERE\($0)", kept: "THERE\($0)") })
    #expect(log.told.count { $0 == "notice basket not merged wholly" } == 101)
  }

  @Test func `says nothing of a merge that another process has made meanwhile`() async throws {
    Log.instance = log
    let racing = RacingStore(store)
    let prices = try Shop.example().prices
    let client = BasketClient(store: racing, service: service, prices: prices)
    try store.change { $0.use(coupon: "HERE") }
    let before = try await client.stored()
    var other = before.basket
    other.use(coupon: "THERE")
    other.markOffer()
    // The other process hears the same answer just before.
    racing.before { [store, other] in
      _ = try? store.update { stored throws(CheckoutError) in _ = stored.hear(other) }
    }
    try await client.hear(other, since: before)
    #expect(store.load()?.coupon == "THERE")
    #expect(await client.conflicts == [] && log.told == [])
    // The buyer's change is made, and tracked, once.
    let recorder = AnalyticsRecorder()
    Analytics.instance = recorder
    racing.before { [store] in _ = try? store.change { $0.use(coupon: nil) } }
    #expect(try await client.add("mug", 2).lines == [BasketLine("mug", 2)])
    let mug = try prices.catalogue.product("mug")
    #expect(recorder.events == [.addToCart(mug, quantity: 2)])
  }

  @Test func `adds nothing without a trace`() async throws {
    let basket = try await makeClient().add([])
    #expect(store.load() == nil)
    #expect(try await service.fetch(basket.id) == nil)
  }

  @Test func `loses no change when many are made at once`() async throws {
    let client = try makeClient()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { try await client.add("coffee") } }
      try await group.waitForAll()
    }
    #expect(store.load()?.lines == [try BasketLine("coffee", 100)])
    #expect(try await service.fetch(try await client.basket().id) == store.load())
  }

  @Test func `says that the store cannot be written, and leaves no trace`() async throws {
    let recorder = AnalyticsRecorder()
    Analytics.instance = recorder
    Log.instance = log
    let client = BasketClient(
      store: FillingStore(changes: 0), service: service, prices: try Shop.example().prices)
    await #expect(throws: CheckoutError.store(FillingStore.error)) {
      try await client.add("coffee")
    }
    #expect(recorder.events == [])
    #expect(log.told == ["warning basket not changed"])
  }

  @Test func `warns in the log that the service's answer cannot be stored, and keeps the change`()
    async throws
  {
    Log.instance = log
    // The buyer's change, and the offer.
    let store = FillingStore(changes: 2)
    let client = BasketClient(
      store: store, service: service, prices: try Shop.example().prices)
    #expect(try await client.add("coffee").lines == [try BasketLine("coffee")])
    #expect(try store.load()?.lines == [try BasketLine("coffee")])
    #expect(log.told == ["info added to basket", "warning basket service's answer not kept"])
    #expect(log.records.last?.metadata["reason"] == "store")
  }

  @Test func `logs each change of the buyer at its level`() async throws {
    let client = try makeClient()
    try await client.add([BasketLine("coffee", 2)], coupon: "WELCOME10")
    try await client.use(coupon: nil)
    try await client.use(coupon: "WELCOME10")
    try await client.remove("coffee")
    try await client.clear()
    #expect(
      log.told == [
        "info added to basket", "info coupon applied", "info coupon removed",
        "info coupon applied", "info removed from basket", "debug basket cleared",
      ])
  }
}

/// A store that another process may change just before a basket is replaced.
private final class RacingStore: BasketStore {
  private let store: MemoryBasketStore
  private let other = Guarded<(@Sendable () -> Void)?>(nil)

  init(_ store: MemoryBasketStore) { self.store = store }

  /// Sets what happens before the next replacement.
  func before(_ body: @escaping @Sendable () -> Void) { other.withLock { $0 = body } }

  func read() -> StoredBasket? { store.read() }

  func replace(_ old: StoredBasket?, with new: StoredBasket) -> Bool {
    let body = other.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
    return store.replace(old, with: new)
  }
}

private struct UnreachableService: BasketService {
  func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? { throw .unreachable("down") }
  func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    throw .unreachable("down")
  }
}
