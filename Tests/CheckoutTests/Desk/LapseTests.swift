// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

@testable import Checkout

/// In virtual time: the tasks sleep for real, as they would in a shop, and nobody waits.
@Suite(.virtualTime(from: "2026-11-27T00:00:00-05:00")) struct `Lapsing checkouts` {
  private let shop: Shop
  private let desk: CheckoutDesk
  private let card = PaymentMethod(.card, token: "tok_4242424242424242")

  init() throws {
    Log.instance = NoLog()
    shop = try Shop.example()
    desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
  }

  private func begin(_ quantity: Int = 1) async throws -> OpenCheckout {
    try await desk.basket.add("mug", quantity)
    return try await desk.begin()
  }

  @Test func `Checkout.lapse() returns at the first instant after the quote ends`() async throws {
    let time = try VirtualTime.current
    let checkout = try await begin()
    let start = time.uptime
    let waiting = Time.task { (try await checkout.lapse(), Time.now) }
    try await time.advance(by: .milliseconds(1))
    // It sleeps until then, and does not look from time to time.
    #expect(time.sleepers.map(\.deadline) == [start + PriceQuote.standardLength])
    try await time.advance(by: PriceQuote.standardLength - .milliseconds(2))
    try checkout.check()
    try await time.advance(by: .milliseconds(1))
    let (error, date) = try await waiting.value
    #expect(error == .lapsedQuote(until: checkout.quote.end))
    #expect(date == checkout.quote.end)
    await #expect(throws: error) { try await desk.pay(checkout, with: card) }
  }

  @Test func `reserved goods are available again when their reservation lapses`() async throws {
    let time = try VirtualTime.current
    let all = desk.books.available("mug")
    let reserved = try await begin(all).reservation.lifetime.length
    let stock = desk.books
    let next = Time.task {
      while stock.available("mug") < all { try await Time.sleep(for: .seconds(60)) }
      return Time.uptime
    }
    let start = time.uptime
    #expect(try await next.value - start == reserved)
  }

  @Test func `if the wall clock is set back, a reservation still lapses by monotonic time`()
    async throws
  {
    let time = try VirtualTime.current
    let checkout = try await begin()
    let waiting = Time.task { try await checkout.lapse() }
    try await time.advance(by: .seconds(60))
    time.step(wall: .seconds(-3_600))
    try await time.advance(by: checkout.reservation.lifetime.length - .seconds(61))
    #expect(checkout.reservation.isHeld)
    try await time.advance(by: .seconds(1))
    #expect(
      try await waiting.value == .lapsedReservation(after: checkout.reservation.lifetime.length))
  }

  @Test func `a checkout ends with its session if the session lapses first`() async throws {
    let time = try VirtualTime.current
    let terms = #"{ "quoteSeconds": 3600, "reservationSeconds": 3600 }"#
    let desk = CheckoutDesk(shop: try Shop.example(terms: terms), payments: PaymentLedger())
    try await desk.basket.add("mug")
    let checkout = try await desk.begin(lasting: .seconds(30 * 60))
    let session = checkout.session
    let start = time.uptime
    let waiting = Time.task { try await checkout.lapse() }
    try await time.advance(by: .milliseconds(1))
    #expect(time.sleepers.map(\.deadline) == [start + .seconds(30 * 60)])
    try await time.advance(by: .seconds(30 * 60) - .milliseconds(2))
    try checkout.check()
    #expect(try await waiting.value == .lapsedSession(until: session.expiresAt))
    #expect(Time.now == session.expiresAt)
  }

  @Test(arguments: [
    (
      #"{ "quoteSeconds": 1200, "reservationSeconds": 600 }"#,
      " 600 s;"
    ),
    (
      #"{ "quoteSeconds": 600, "reservationSeconds": 1200 }"#,
      " 2026-11-27T05:10:00Z;"
    ),
    (
      #"{ "sessionSeconds": 1800, "quoteSeconds": 2400, "reservationSeconds": 3000 }"#,
      " 2026-11-27T05:30:00Z;"
    ),
  ])
  func `a lapsed checkout's error describes only the term that lapsed first`(
    terms: String, text: String
  ) async throws {
    let desk = CheckoutDesk(shop: try Shop.example(terms: terms), payments: PaymentLedger())
    try await desk.basket.add("mug")
    let checkout = try await desk.begin()
    let error = try await checkout.lapse()
    #expect(error.description.contains(text), "\(error)")
    await #expect(throws: error) { try await desk.pay(checkout, with: card) }
  }

  @Test func `by default, a checkout keeps its price and goods as long as its session`()
    async throws
  {
    let time = try VirtualTime.current
    let desk = CheckoutDesk(shop: try Shop.example(terms: "{}"), payments: PaymentLedger())
    try await desk.basket.add("mug")
    let checkout = try await desk.begin(lasting: .seconds(24 * 3_600))
    try await time.advance(by: .seconds(24 * 3_600) - .milliseconds(1))
    try checkout.check()
    _ = try await desk.pay(checkout, with: card)
  }

  @Test func `a Checkout.lapse() call cancelled after the payment leaves no sleeping task`()
    async throws
  {
    let checkout = try await begin()
    let waiting = Time.task { try await checkout.lapse() }
    try await Time.sleep(for: .seconds(60))
    _ = try await desk.pay(checkout, with: card)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try VirtualTime.current.sleepers.isEmpty)
  }
}
