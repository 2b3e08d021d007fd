import Checkout

/// One walk through a shop, from the basket to the order.
struct Purchase: Sendable {
  let lines: [BasketLine]
  let coupon: String?
  let born: LocalDate?
  let isJSON: Bool
  let shop: Shop
  let store: FileBasketStore?
  let wiring: WiringStyle

  /// Buys, and writes the receipt.
  func make(_ output: Output) async throws {
    let order = try await CheckoutDesk.working(for: shop, with: store, wiring: wiring) { desk in
      try await desk.checkout(
        CheckoutRequest(
          lines, coupon: coupon, payment: PaymentMethod(.invoice, token: "demo"), born: born))
    }
    let receipt = Receipt(shop: shop, order: order)
    try output.write(isJSON ? receipt.json() : receipt.text(style: output.style))
  }
}
