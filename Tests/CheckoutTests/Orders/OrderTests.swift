// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Orders` {
  private let payments = PaymentLedger()
  private let recorder = AnalyticsRecorder()
  private let card = PaymentMethod(.card, token: "tok_1")

  private func makeDesk() throws -> CheckoutDesk {
    Analytics.instance = recorder
    Log.instance = NoLog()
    return CheckoutDesk(shop: try Shop.example(), payments: payments)
  }

  private func request(
    _ quantity: Int = 1, _ key: String = "key", coupon: String? = nil
  ) throws -> CheckoutRequest {
    CheckoutRequest(
      [try BasketLine("coffee", quantity)], coupon: coupon, payment: card,
      key: try IdempotencyKey(key))
  }

  @Test func `50 concurrent requests with the same key place one order`() async throws {
    let desk = try makeDesk()
    let request = try request(2)
    let orders = try await withThrowingTaskGroup(of: Order.self) { group in
      for _ in 0..<50 { group.addTask { try await desk.checkout(request) } }
      return try await group.reduce(into: Set<Order>()) { $0.insert($1) }
    }
    #expect(orders.count == 1)
    #expect(await payments.entries.count == 1)
    #expect(desk.books.available("coffee") == 118)
    #expect(recorder.events.filter { $0.name == "purchase" }.count == 1)
    #expect(desk.books.orders == Array(orders))
  }

  @Test func `requests with different idempotency keys place separate orders`() async throws {
    let desk = try makeDesk()
    let first = try await desk.checkout(request(1, "one"))
    let second = try await desk.checkout(request(1, "two"))
    #expect(first.id != second.id)
    #expect(await payments.entries.count == 2)
  }

  @Test func `paying a checkout again returns the same order`() async throws {
    let desk = try makeDesk()
    let key = IdempotencyKey()
    try await desk.basket.add("coffee", 3)
    let checkout = try await desk.begin()
    let twin = try await desk.begin()
    let order = try await desk.pay(checkout, with: card, key: key)
    #expect(try await desk.pay(checkout, with: card, key: key) == order)
    #expect(try await desk.pay(twin, with: card, key: key) == order)
    #expect(desk.books.available("coffee") == 117)
    #expect(await payments.entries.count == 1)
  }

  @Test func `an idempotency key cannot be used for two different orders`() async throws {
    let desk = try makeDesk()
    _ = try await desk.checkout(request(1))
    await #expect(throws: CheckoutError.keyReused("key")) { try await desk.checkout(request(2)) }
    let coupon = try request(1, "coupon", coupon: "welcome10")
    let order = try await desk.checkout(coupon)
    #expect(try await desk.checkout(request(1, "coupon", coupon: "WELCOME10")) == order)
    for text in ["", String(repeating: "k", count: 256)] {
      #expect(throws: CheckoutError.badKey) { try IdempotencyKey(text) }
    }
  }

  @Test(arguments: [false, true])
  func `a used idempotency key is refused if the request has a different total`(
    isSeenFirst: Bool
  ) async throws {
    let desk = try makeDesk()
    let key = try IdempotencyKey("key")
    func buy(_ lines: [BasketLine] = [], seen total: Money?) async throws -> Order {
      try await desk.checkout(CheckoutRequest(lines, payment: card, total: total, key: key))
    }
    try await desk.basket.add("coffee", 1)
    let seen = try await desk.basket.price().total
    let order = try await buy(seen: isSeenFirst ? seen : nil)
    #expect(order.total == seen)
    try await desk.basket.add("mug", 3)
    let other = try await desk.basket.price().total
    let reused = CheckoutError.keyReused("key")
    await #expect(throws: reused) { try await buy(seen: other) }
    await #expect(throws: reused) { try await buy(seen: Money(minorUnits: seen.minorUnits, .eur)) }
    await #expect(throws: reused) { try await buy([BasketLine("coffee")], seen: seen) }
    // The same request again: the order, and nothing of the new basket.
    #expect(try await buy(seen: seen) == order)
    #expect(try await buy(seen: nil) == order)
    #expect(try await desk.basket.price().total == other)
    #expect(await payments.entries.count == 1)
  }

  @Test func `a used idempotency key is refused for a checkout with a different price`()
    async throws
  {
    let desk = try makeDesk()
    let key = IdempotencyKey()
    try await desk.basket.add("mug", 1)
    let checkout = try await desk.begin(key: key)
    let order = try await desk.pay(checkout, with: card)
    // A mug costs less from 16:00 to 18:00.
    try await Time.freeze(at: "2026-11-20T16:30:00-05:00") {
      try await desk.basket.add("mug", 1)
      let later = try await desk.begin(key: key)
      try #require(checkout.quote.priced.total != later.quote.priced.total)
      await #expect(throws: CheckoutError.keyReused("\(key)")) {
        try await desk.pay(later, with: card)
      }
    }
    #expect(try await desk.pay(checkout, with: card) == order)
    #expect(await payments.entries.count == 1)
  }

  @Test func `the idempotency key of a pending order is refused for a different total`()
    async throws
  {
    Analytics.instance = recorder
    Log.instance = NoLog()
    let payments = ScriptedPayments()
    await payments.script(
      charges: [.fail(.unavailable("down"))], outcomes: [.fail(.unavailable("down"))])
    let desk = CheckoutDesk(shop: try Shop.example(), payments: payments)
    let key = try IdempotencyKey("key")
    func buy(_ total: Money) async throws -> Order {
      try await desk.checkout(CheckoutRequest([], payment: card, total: total, key: key))
    }
    try await desk.basket.add("coffee", 1)
    let seen = try await desk.basket.price().total
    await #expect(throws: CheckoutError.paymentPending("key")) { try await buy(seen) }
    try await desk.basket.add("mug", 3)
    let other = try await desk.basket.price().total
    await #expect(throws: CheckoutError.keyReused("key")) { try await buy(other) }
    #expect(try await buy(seen).total == seen)
  }

  @Test func `a payment places only one order even after its idempotency key has lapsed`()
    async throws
  {
    let desk = try makeDesk()
    let first = try await desk.checkout(request())
    for moment in ["2026-11-21T11:59:59.999-05:00", "2026-11-21T12:00:00-05:00"] {
      let again = try await Time.freeze(at: moment) { try await desk.checkout(request()) }
      #expect(again == first)
    }
    #expect(await payments.entries.count == 1)
    #expect(desk.books.orders == [first] && desk.books.available("coffee") == 119)
    #expect(try await desk.basket.basket().isEmpty)
    _ = try await Time.freeze(at: "2026-11-21T12:00:00-05:00") {
      await #expect(throws: CheckoutError.payment(.referenceReused)) {
        try await desk.checkout(request(2))
      }
    }
    #expect(desk.books.available("coffee") == 119)
  }

  @Test func `a failed order frees its idempotency key for the next attempt`() async throws {
    let desk = try makeDesk()
    let tooMany = CheckoutError.insufficientStock("coffee", wanted: 121, available: 120)
    await #expect(throws: tooMany) { try await desk.checkout(request(121)) }
    _ = try await desk.checkout(request(120))
    #expect(desk.books.available("coffee") == 0)
  }

  @Test func `an order can be refunded up to its total, but no further`() async throws {
    let desk = try makeDesk()
    let order = try await desk.checkout(request(2))
    let euro = try Money("1.00 EUR")
    let none = try Money("0.00 USD")
    await #expect(throws: CheckoutError.money(.differentCurrencies(.usd, .eur))) {
      try await desk.refund(order.id, euro)
    }
    await #expect(throws: CheckoutError.refundTooLarge(none, left: order.total)) {
      try await desk.refund(order.id, none)
    }
    try await desk.refund(order.id, Money("10.00 USD"))
    #expect(desk.books.available("coffee") == 118)
    let left = try order.total.subtracting(Money("10.00 USD"))
    await #expect(throws: CheckoutError.refundTooLarge(order.total, left: left)) {
      try await desk.refund(order.id, order.total)
    }
    try await desk.refund(order.id)
    await #expect(throws: CheckoutError.refundTooLarge(none, left: none)) {
      try await desk.refund(order.id)
    }
    #expect(desk.books.available("coffee") == 120)
    let sum = try await payments.entries.reduce(none) { try $0.adding($1.amount) }
    #expect(sum == none)
    #expect(recorder.events.filter { $0.name == "refund" }.count == 2)
  }

  @Test func `an order's goods are restocked once, after its last refund succeeds`() async throws {
    let payments = ScriptedPayments()
    Log.instance = NoLog()
    let desk = CheckoutDesk(shop: try Shop.example(), payments: payments)
    let order = try await desk.checkout(request(2))
    let ten = try Money("10.00 USD")
    let rest = try order.total.subtracting(ten)
    // The refund of the rest goes through while that of ten is still under way, and then fails.
    await payments.script(refunds: [.meanwhile { try await desk.refund(order.id, rest) }])
    await #expect(throws: CheckoutError.payment(.unavailable("down"))) {
      try await desk.refund(order.id, ten)
    }
    #expect(desk.books.available("coffee") == 118)
    #expect(try await desk.settle() == 0)
    #expect(desk.books.available("coffee") == 120)
    #expect(await payments.ledger.entries.count == 3)
  }

  @Test func `an order survives encoding and decoding as JSON`() async throws {
    let order = try await makeDesk().checkout(request())
    let data = try JSONEncoder().encode(order)
    #expect(try JSONDecoder().decode(Order.self, from: data) == order)
  }
}
