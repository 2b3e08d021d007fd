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

  /// Buys, empties the stored basket, and writes the receipt.
  func make(_ output: Output) async throws {
    let stored = try StoredDesk(shop: shop, store: store, wiring: wiring)
    let request = CheckoutRequest(
      lines, coupon: coupon, payment: PaymentMethod(.invoice, token: "demo"), born: born)
    let order = try await stored.step { () throws(CheckoutError) in
      try await stored.desk.checkout(request)
    }
    // The order stands from here on: neither failure keeps the other from being tried.
    var reasons: [String] = []
    do { try stored.save() } catch { reasons.append("\(error)") }
    let receipt = Receipt(shop: shop, order: order)
    do {
      try output.write(isJSON ? receipt.json() : receipt.text(style: output.style))
    } catch {
      reasons.append("\(error)")
    }
    guard reasons.isEmpty else { throw UnfinishedOrder(id: order.id, reasons: reasons) }
  }
}
