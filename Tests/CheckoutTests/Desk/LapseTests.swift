import Ambient
import AmbientTesting
import Foundation
import Testing

@testable import Checkout

/// In virtual time: the tasks sleep for real, as they would in a shop, and nobody waits.
@Suite(.virtualTime(from: "2026-11-27T00:00:00-05:00")) struct `What lapses by itself` {
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

  @Test func `wakes who waits for a quote at the first instant after it`() async throws {
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

  @Test func `gives reserved goods to who waits for them`() async throws {
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

  @Test func `keeps a reservation by monotonic time, whatever the wall shows`() async throws {
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

  @Test func `ends a session that is the first to lapse`() async throws {
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
      " 600 seconds;"
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
  func `says the length or the end of what lapsed first, and not of another`(
    terms: String, text: String
  ) async throws {
    let desk = CheckoutDesk(shop: try Shop.example(terms: terms), payments: PaymentLedger())
    try await desk.basket.add("mug")
    let checkout = try await desk.begin()
    let error = try await checkout.lapse()
    #expect(error.description.contains(text), "\(error)")
    await #expect(throws: error) { try await desk.pay(checkout, with: card) }
  }

  @Test func `keeps price and goods as long as the session, where the shop says nothing`()
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

  @Test func `stops waiting when the buyer has paid`() async throws {
    let checkout = try await begin()
    let waiting = Time.task { try await checkout.lapse() }
    try await Time.sleep(for: .seconds(60))
    _ = try await desk.pay(checkout, with: card)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try VirtualTime.current.sleepers.isEmpty)
  }
}
