// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

/// The effects of time on a basket, at frozen instants: the same in every run.
struct TimeStory: Sendable {
  let shop: Shop

  /// A part of the story: a table, and an optional sentence after it.
  struct Chapter {
    let heading: String
    let table: Table
    var end: String?

    fileprivate func text(style: Style) -> String {
      let lines = [style.bold(heading)] + table.lines(style: style)
      return (lines + (end?.wrapped(to: style.textWidth) ?? [])).joined(separator: "\n")
    }
  }

  /// Tells all chapters.
  func text(style: Style) async throws -> String {
    let basket = """
      2 coffee, 1 mug and the coupon WELCOME10, at \(shop.name) in \(shop.zone); prices in USD.
      """
    let chapters = [try await promotion(), try await quote(), try await clockChange()]
    return """
      \(style.bold("The effects of time on a basket"))
      \(basket.wrapped(to: style.textWidth).joined(separator: "\n"))

      \(chapters.map { $0.text(style: style) }.joined(separator: "\n\n"))

      """
  }

  /// A checkout desk with the basket of the story, filled at the current time.
  func makeDesk() async throws -> CheckoutDesk {
    let desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
    try await desk.basket.add(ExampleBasket.lines(), coupon: ExampleBasket.coupon)
    return desk
  }

  /// The promotion that reduces the price, if there is one.
  func promotion(of priced: PricedBasket) -> String? {
    priced.lines.compactMap(\.promotion).first
  }
}
