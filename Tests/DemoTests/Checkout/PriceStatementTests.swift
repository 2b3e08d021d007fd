// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Testing

@testable import ambient_demo

/// In the happy hour, which is the mug's.
@Suite(.frozen(at: "2026-12-02T17:00:00-05:00")) struct `Colors of reduced prices` {
  private func marked(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix("\u{1B}[32m") }
  }

  @Test func `a reduced price is colored in a price statement`() throws {
    let shop = try Shop.example()
    var basket = Basket()
    for sku in ["coffee", "mug", "filters"] as [SKU] { try basket.add(BasketLine(sku)) }
    let statement = PriceStatement(
      shop: shop, priced: try shop.prices.price(basket), date: Time.now)
    let lines = marked(statement.text(style: Style(isColored: true)))
    #expect(lines.count == 1 && lines.first?.contains("Stoneware mug") == true)
  }

  @Test func `a reduced price is colored in the product list`() throws {
    let lines = marked(try ProductList(shop: Shop.example()).text(style: Style(isColored: true)))
    #expect(lines.count == 1 && lines.first?.contains("Stoneware mug") == true)
  }

  @Test func `a reduced price is colored in the time command's output`() async throws {
    Log.instance = NoLog()
    Analytics.instance = NoAnalytics()
    let text = try await TimeStory(shop: Shop.example()).text(style: Style(isColored: true))
    let lines = marked(text)
    // Three of its first chapter, two of its second and two of its third.
    #expect(
      lines.map { $0.dropFirst(9).prefix(19) } == [
        "2026-11-27 00:00:00", "2026-11-27 00:01:00", "2026-11-30 23:59:00",
        "2026-11-30 23:50:00", "2026-12-01 00:04:59", "2026-11-01 01:30:00",
        "2026-11-01 01:30:00",
      ])
  }
}
