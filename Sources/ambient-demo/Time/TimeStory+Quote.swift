// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

extension TimeStory {
  /// Shows that a locked price survives the end of the promotion, until the lock lapses. Also shows
  /// that paying twice for a checkout places only one order.
  func quote() async throws -> Chapter {
    var table = Table([
      Table.Column(heading: "the shop's clock"), Table.Column(heading: "step"),
      Table.Column(heading: "to pay", isNumber: true),
    ])
    func note(_ event: String, _ priced: PricedBasket?) {
      table.add(
        [shop.zone.clock(at: Time.now), event, priced?.total.number ?? ""],
        marked: priced.flatMap(promotion(of:)) != nil)
    }
    let method = PaymentMethod(.invoice, token: "story")
    let key = try IdempotencyKey("story")

    let (desk, late) = try await Time.freeze(at: "2026-11-30T23:50:00-05:00") {
      let desk = try await makeDesk()
      let checkout = try await desk.begin()
      note("price locked for 15 minutes", checkout.quote.priced)
      return (desk, checkout)
    }
    try Time.freeze(at: "2026-12-01T00:04:59-05:00") {
      try late.check()
      note("promotion over, price still locked", late.quote.priced)
    }
    let checkout = try await Time.freeze(at: "2026-12-01T00:05:00-05:00") {
      do {
        note("paid", try await desk.pay(late, with: method).priced)
      } catch CheckoutError.lapsedQuote {
        note("lapsed: payment refused", nil)
      }
      let checkout = try await desk.begin()
      note("locked again, at the price of now", checkout.quote.priced)
      return checkout
    }
    let order = try await Time.freeze(at: "2026-12-01T00:06:00-05:00") {
      let order = try await desk.pay(checkout, with: method, key: key)
      note("paid: the order is placed", order.priced)
      return order
    }
    try await Time.freeze(at: "2026-12-01T00:06:01-05:00") {
      let again = try await desk.pay(checkout, with: method, key: key)
      note(again == order ? "sent twice: the same order" : "sent twice: another order", nil)
    }
    return Chapter(heading: "2. A price is locked, and lapses", table: table)
  }
}
