// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Basket client` {
  private let store = MemoryBasketStore()
  private let service = MemoryBasketService()
  private let log = LogRecorder()

  private func makeClient() throws -> BasketClient {
    Log.instance = log
    return BasketClient(store: store, service: service, prices: try Shop.example().prices)
  }

  @Test func `a basket client saves the basket in its store and in its service`() async throws {
    let basket = try await makeClient().add("coffee", 2)
    #expect(store.load() == basket)
    #expect(service.fetch(basket.id) == basket)
  }

  @Test func `removing a product removes its basket line, and an absent product is ignored`()
    async throws
  {
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

  @Test func `adding a product again increases the quantity of its basket line`() async throws {
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
  func `adding an invalid line leaves the basket unchanged`(
    sku: SKU, quantity: Int, error: CheckoutError
  ) async throws {
    let client = try makeClient()
    let before = try await client.add("coffee", 2)
    await #expect(throws: error) { try await client.add(sku, quantity) }
    #expect(store.load() == before)
    #expect(service.fetch(before.id) == before)
  }

  @Test func `if a line or the coupon is invalid, BasketClient.add changes nothing`()
    async throws
  {
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

  @Test func `a coupon is applied only if known, valid today, and the basket reaches its minimum`()
    async throws
  {
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

  @Test func `a coupon added alone must be valid for the basket unless the basket is empty`()
    async throws
  {
    let client = try makeClient()
    #expect(try await client.add([], coupon: "bigspender").coupon == "BIGSPENDER")
    try await client.clear()
    try await client.add("coffee", 2)
    #expect(try await client.add([], coupon: "welcome10").coupon == "WELCOME10")
    let error = CheckoutError.couponMinimum("BIGSPENDER", try Money("150.00 USD"))
    await #expect(throws: error) { try await client.add([], coupon: "bigspender") }
    #expect(store.load()?.coupon == "WELCOME10")
  }

  @Test func `a basket change that loses a race is repeated, and tracked only once`()
    async throws
  {
    Log.instance = log
    let recorder = AnalyticsRecorder()
    Analytics.instance = recorder
    let racing = RacingStore(store)
    let prices = try Shop.example().prices
    let client = BasketClient(store: racing, service: service, prices: prices)
    racing.before { [store] in _ = try? store.change { $0.use(coupon: "WELCOME10") } }
    let basket = try await client.add("mug", 2)
    #expect(basket.lines == [try BasketLine("mug", 2)] && basket.coupon == "WELCOME10")
    #expect(store.load() == basket && service.fetch(basket.id) == basket)
    let mug = try prices.catalogue.product("mug")
    #expect(recorder.events == [.addToCart(mug, quantity: 2)])
  }

  @Test func `adding no lines creates no basket`() async throws {
    let basket = try await makeClient().add([])
    #expect(store.load() == nil)
    #expect(service.fetch(basket.id) == nil)
  }

  @Test func `concurrent additions to a basket lose no change`() async throws {
    let client = try makeClient()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { try await client.add("coffee") } }
      try await group.waitForAll()
    }
    #expect(store.load()?.lines == [try BasketLine("coffee", 100)])
    #expect(service.fetch(try await client.basket().id) == store.load())
  }

  @Test func `a failed write of a basket throws a store error and tracks no event`() async throws {
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

  @Test func `basket changes are logged as info, and clearing the basket as debug`() async throws {
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

  func load() -> Basket? { store.load() }

  func replace(_ old: Basket?, with new: Basket) -> Bool {
    let body = other.withLock { body in
      defer { body = nil }
      return body
    }
    body?()
    return store.replace(old, with: new)
  }
}
