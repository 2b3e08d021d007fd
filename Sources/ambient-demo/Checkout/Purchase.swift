import Checkout

/// One walk through a shop, from the basket to the order.
struct Purchase: Sendable {
  let lines: [BasketLine]
  let coupon: String?
  let born: LocalDate?
  let isJSON: Bool
  let shop: Shop
  let store: FileBasketStore?

  /// Buys, and writes the receipt.
  ///
  /// The stored basket is worked on in memory and saved at the end, so that it stays as it was if
  /// anything fails on the way: who tries again does not buy twice as much.
  func make(_ output: Output) async throws {
    let basket = MemoryBasketStore(try store?.load())
    let desk = CheckoutDesk(shop: shop, store: basket)
    let order = try await desk.checkout(
      CheckoutRequest(
        lines, coupon: coupon, payment: PaymentMethod(.invoice, token: "demo"), born: born))
    if let left = basket.load() { try store?.save(left) }
    let receipt = Receipt(shop: shop, order: order)
    try output.write(isJSON ? receipt.json() : receipt.text(style: output.style))
  }
}
