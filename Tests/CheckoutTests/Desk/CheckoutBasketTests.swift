// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Baskets at checkout` {
  private let store = MemoryBasketStore()
  private let service = MemoryBasketService()
  private let payments = PaymentLedger(refusing: ["tok_stolen"])
  private let card = PaymentMethod(.card, token: "tok_1")

  private func makeDesk() throws -> CheckoutDesk {
    Log.instance = NoLog()
    return CheckoutDesk(
      shop: try Shop.example(), store: store, service: service, payments: payments)
  }

  private func request(
    _ lines: [BasketLine], coupon: String? = nil, token: String = "tok_1"
  ) -> CheckoutRequest {
    CheckoutRequest(lines, coupon: coupon, payment: PaymentMethod(.card, token: token))
  }

  @Test(arguments: [
    (3, "tok_stolen", CheckoutError.payment(.declined)),
    (4, "tok_1", .insufficientStock("grinder", wanted: 4, available: 3)),
  ])
  func `a failed checkout restores the basket, so a retry doesn't buy the goods twice`(
    count: Int, token: String, error: CheckoutError
  ) async throws {
    let recorder = AnalyticsRecorder()
    Analytics.instance = recorder
    let desk = try makeDesk()
    try await desk.basket.add("mug", 2)
    let before = try await desk.basket.use(coupon: "WELCOME10")
    let lines = [try BasketLine("grinder", count), try BasketLine("mug")]
    let failing = request(lines, coupon: "BIGSPENDER", token: token)
    await #expect(throws: error) { try await desk.checkout(failing) }
    let after = try #require(store.load())
    #expect(after.lines == before.lines && after.coupon == "WELCOME10")
    #expect(service.fetch(after.id) == after)
    #expect(desk.books.available("grinder") == 3)
    let grinder = try desk.shop.catalogue.product("grinder")
    #expect(recorder.events.count { $0 == .removeFromCart(grinder, quantity: count) } == 1)

    let order = try await desk.checkout(request([try BasketLine("grinder", 3)]))
    #expect(order.priced.lines.map(\.quantity) == [2, 3])
  }

  @Test func `a coupon added while a checkout with another coupon runs stays in the basket`()
    async throws
  {
    let desk = try makeDesk()
    try await desk.basket.add("coffee", 20)
    try await desk.basket.use(coupon: "WELCOME10")
    let paid = try await desk.begin()
    try await desk.basket.use(coupon: "BIGSPENDER")
    _ = try await desk.pay(paid, with: card)
    #expect(store.load()?.lines == [] && store.load()?.coupon == "BIGSPENDER")

    // One that a request brings, and that is another before the payment is refused.
    try await desk.basket.add("coffee", 20)
    try await desk.basket.use(coupon: nil)
    let refusing = ChangingPayments { _ = try? await desk.basket.use(coupon: "WELCOME10") }
    let other = CheckoutDesk(
      shop: desk.shop, store: store, service: service, payments: refusing)
    await #expect(throws: CheckoutError.payment(.declined)) {
      try await other.checkout(request([BasketLine("mug")], coupon: "BIGSPENDER"))
    }
    #expect(store.load()?.lines == [try BasketLine("coffee", 20)])
    #expect(store.load()?.coupon == "WELCOME10")
  }

  /// Payments that are refused when something was done meanwhile.
  private struct ChangingPayments: PaymentService {
    let meanwhile: @Sendable () async -> Void

    func charge(_ charge: Charge, to method: PaymentMethod) async throws(PaymentError) -> Payment {
      await meanwhile()
      throw .declined
    }

    func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome { .notCharged }

    func refund(
      _ amount: Money, of payment: String, reference: String
    ) async throws(PaymentError) {}
  }

  @Test func `settle() restores the basket of an unpaid checkout in the store and the service`()
    async throws
  {
    Log.instance = NoLog()
    let scripted = ScriptedPayments()
    let desk = CheckoutDesk(
      shop: try Shop.example(), store: store, service: service, payments: scripted)
    try await desk.basket.add("coffee", 2)
    let before = try await desk.basket.use(coupon: "WELCOME10")
    let checkout = try await desk.begin()
    let down = PaymentError.unavailable("down")
    await scripted.script(charges: [.fail(down)], outcomes: [.fail(down)])
    await #expect(throws: CheckoutError.paymentPending("\(checkout.key)")) {
      try await desk.pay(checkout, with: card)
    }
    #expect(service.fetch(before.id)?.isEmpty == true)
    #expect(try await desk.settle() == 0)
    let after = try #require(store.load())
    #expect(after.lines == before.lines && after.coupon == "WELCOME10")
    #expect(service.fetch(after.id) == after)
  }

  @Test func `goods added between begin() and pay() stay in the basket`() async throws {
    let desk = try makeDesk()
    try await desk.basket.add("coffee", 2)
    try await desk.basket.use(coupon: "WELCOME10")
    let checkout = try await desk.begin()
    try await desk.basket.add("coffee", 1)
    try await desk.basket.add("mug")
    _ = try await desk.pay(checkout, with: card)
    #expect(store.load()?.lines == [try BasketLine("coffee", 1), try BasketLine("mug")])
    #expect(store.load()?.coupon == nil)
  }

  @Test func `concurrent checkouts of one basket run one after another`() async throws {
    let desk = try makeDesk()
    let orders = try await withThrowingTaskGroup(of: Order.self) { group in
      for count in 1...12 {
        group.addTask {
          try await desk.checkout(self.request([try BasketLine("coffee", count)]))
        }
      }
      return try await group.reduce(into: [Order]()) { $0.append($1) }
    }
    let bought = orders.map { $0.priced.lines.map(\.quantity) }
    #expect(Set(bought) == Set((1...12).map { [$0] }))
    #expect(desk.books.available("coffee") == 120 - 78)
    #expect(store.load()?.isEmpty == true)
  }

  @Test func `a checkout is refused if its total differs from the total that the buyer saw`()
    async throws
  {
    let desk = try makeDesk()
    try await desk.basket.add("mug")
    let seen = try await desk.basket.price().total
    let elsewhere = BasketClient(store: store, service: service, prices: desk.shop.prices)
    try await elsewhere.add("mug")
    func request(_ total: Money) -> CheckoutRequest {
      CheckoutRequest([], payment: card, total: total)
    }
    let now = try Money(minorUnits: 2 * 1_250, .usd).adding(Money("2.22 USD"))
    let error = CheckoutError.otherTotal(now, seen: seen)
    await #expect(throws: error) { try await desk.checkout(request(seen)) }
    #expect(error.description.contains("27.22 USD") && error.description.contains("13.61 USD"))
    #expect(desk.books.available("mug") == desk.shop.stock["mug"])
    let euros = Money(minorUnits: now.minorUnits, .eur)
    await #expect(throws: CheckoutError.otherTotal(now, seen: euros)) {
      try await desk.checkout(request(euros))
    }
    #expect(try await desk.checkout(request(now)).total == now)
  }
}
