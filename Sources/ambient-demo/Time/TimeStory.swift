import Ambient
import Checkout

/// The effects of time on a basket, at frozen instants: the same in every run.
struct TimeStory: Sendable {
  let shop: Shop

  /// Tells all of it; what happens is logged and tracked on the way.
  func text(style: Style) async throws -> String {
    let chapters = [
      try await promotion(style: style), try await quote(style: style),
      try await clockChange(style: style),
    ]
    let setting = """
      2 coffee, 1 mug and the coupon WELCOME10, at \(shop.name) in \(shop.zone); prices in USD.
      """
    return """
      \(style.bold("What time does to a basket"))
      \(setting.wrapped(to: style.textWidth).joined(separator: "\n"))

      \(chapters.joined(separator: "\n\n"))


      """
  }

  /// A buyer with the basket of the story, filled at the current time.
  func makeDesk() async throws -> CheckoutDesk {
    let desk = CheckoutDesk(shop: shop, payments: PaymentLedger())
    try await desk.basket.add("coffee", 2)
    try await desk.basket.add("mug")
    try await desk.basket.use(coupon: "WELCOME10")
    return desk
  }

  /// The promotion that a price owes something to.
  func promotion(of priced: PricedBasket) -> String? {
    priced.lines.compactMap(\.promotion).first
  }
}
