// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-20T12:00:00-05:00")) struct `Shop store` {
  private let shop: Shop
  private let books: ShopStore
  private let payments = ScriptedPayments()
  private let down = PaymentError.unavailable("down")

  init() throws {
    Log.instance = NoLog()
    shop = try Shop.example()
    books = ShopStore(shop)
  }

  private func desk(_ payments: any PaymentService) -> CheckoutDesk {
    CheckoutDesk(
      shop: shop,
      basket: BasketClient(
        store: MemoryBasketStore(), service: MemoryBasketService(), prices: shop.prices),
      books: books, payments: payments)
  }

  private func request(_ key: String) throws -> CheckoutRequest {
    CheckoutRequest(
      [try BasketLine("coffee")], payment: PaymentMethod(.card, token: "tok_1"),
      key: try IdempotencyKey(key))
  }

  @Test func `when an idempotency key lapses for an old order, a newer order keeps the same key`()
    async throws
  {
    // No payment service knows the key of a request before.
    func order(after seconds: Double, uptime: Double) async throws -> Order {
      let time = FixedTime(at: Time.now + seconds, uptime: Time.uptime + .seconds(uptime))
      return try await Time.withInstance(time) {
        _ = books.available("coffee")
        return try await desk(PaymentLedger()).checkout(request("k"))
      }
    }
    let first = try await order(after: 0, uptime: 0)
    #expect(try await order(after: 86_399.999, uptime: 86_399.999) == first)
    // The key has lapsed on the wall, which was set ahead.
    let second = try await order(after: 86_400, uptime: 10)
    #expect(second.id != first.id)
    #expect(try await order(after: 172_790, uptime: 86_400) == second)
    // The key has lapsed by monotonic time alone.
    let third = try await order(after: 172_790, uptime: 86_410)
    #expect(third.id != second.id)
    #expect(books.orders == [first, second, third])
  }

  @Test func `pending payments are listed from oldest to newest`() async throws {
    let order = [3, 1, 4, 2, 5]
    await payments.script(
      charges: order.map { _ in .fail(down) }, outcomes: order.map { _ in .fail(down) })
    for number in order {
      let time = FixedTime(at: Time.now + Double(number), uptime: Time.uptime)
      await Time.withInstance(time) {
        _ = await #expect(throws: CheckoutError.paymentPending("k\(number)")) {
          try await desk(payments).checkout(request("k\(number)"))
        }
      }
    }
    #expect(books.pending.map { "\($0.key)" } == ["k1", "k2", "k3", "k4", "k5"])
  }

  @Test func `CheckoutDesk.settle() counts payments and refunds with an unknown outcome`()
    async throws
  {
    let desk = desk(payments)
    let order = try await desk.checkout(request("k"))
    await payments.script(
      charges: [.fail(down)], outcomes: [.fail(down), .fail(down)],
      refunds: [.fail(down), .fail(down)])
    await #expect(throws: CheckoutError.payment(down)) { try await desk.refund(order.id) }
    await #expect(throws: CheckoutError.paymentPending("l")) {
      try await desk.checkout(request("l"))
    }
    #expect(try await desk.settle() == 2)
    #expect(try await desk.settle() == 0)
  }
}
