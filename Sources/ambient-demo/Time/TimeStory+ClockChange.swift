// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

extension TimeStory {
  /// Tells the chapter about the night in which the clocks go back. One hour comes twice, so more
  /// time passes than the clock shows.
  func clockChange() async throws -> Chapter {
    let instants = [
      "2026-11-01T00:59:59-04:00", "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00",
      "2026-11-01T02:00:00-05:00",
    ]
    let desk = try await Time.freeze(at: instants[0]) { try await makeDesk() }
    var table = Table([
      Table.Column(heading: "the shop's clock"), Table.Column(heading: "UTC"),
      Table.Column(heading: "promotion"), Table.Column(heading: "to pay", isNumber: true),
    ])
    var checkouts: [OpenCheckout] = []
    for instant in instants {
      try await Time.freeze(at: instant) {
        let checkout = try await desk.begin(lasting: .seconds(3 * 3_600))
        let promotion = promotion(of: checkout.quote.priced)
        table.add(
          [
            shop.zone.clock(at: Time.now), Zone.utc.time(at: Time.now),
            promotion ?? "-",
            checkout.quote.priced.total.number,
          ], marked: promotion != nil)
        checkouts.append(checkout)
      }
    }
    let first = checkouts[1]
    let verdict = try Time.freeze(at: instants[2]) {
      do {
        try first.check()
        return "is still locked"
      } catch CheckoutError.lapsedQuote {
        return "has lapsed"
      }
    }
    return Chapter(
      heading: "3. The clocks go back, and 01:30 comes twice", table: table,
      end: "At the second 01:30 the price of the first, locked for 15 minutes, \(verdict).")
  }
}
