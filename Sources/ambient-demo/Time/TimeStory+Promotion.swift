// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

extension TimeStory {
  /// Shows that a promotion is in force from its first instant up to, but not including, its end.
  func promotion() async throws -> Chapter {
    let starts = [
      "2026-11-26T23:59:00-05:00", "2026-11-27T00:00:00-05:00", "2026-11-27T00:01:00-05:00",
    ]
    let ends = [
      "2026-11-30T23:59:00-05:00", "2026-12-01T00:00:00-05:00", "2026-12-01T00:01:00-05:00",
    ]
    let desk = try await Time.freeze(at: starts[0]) { try await makeDesk() }
    var table = Table([
      Table.Column(heading: "the shop's clock"), Table.Column(heading: "promotion"),
      Table.Column(heading: "goods", isNumber: true),
      Table.Column(heading: "coupon", isNumber: true), Table.Column(heading: "tax", isNumber: true),
      Table.Column(heading: "to pay", isNumber: true),
    ])
    for instant in starts + ends {
      try await Time.freeze(at: instant) {
        let priced = try await desk.begin().quote.priced
        let promotion = promotion(of: priced)
        table.add(
          [
            shop.zone.clock(at: Time.now), promotion ?? "-", priced.subtotal.number,
            "-" + priced.couponDiscount.number, priced.tax.number, priced.total.number,
          ], marked: promotion != nil)
      }
    }
    return Chapter(heading: "1. A promotion starts, and ends", table: table)
  }
}
