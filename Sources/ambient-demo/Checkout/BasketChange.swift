import Ambient
import Checkout

/// What is to be done to a stored basket: all of it, or nothing.
struct BasketChange: Sendable {
  let lines: [BasketLine]
  let removed: [SKU]
  let coupon: String?
  let removesCoupon: Bool
  let isJSON: Bool
  let shop: Shop
  let store: FileBasketStore

  /// Takes out, then puts in; shows the basket, then saves it.
  func make(_ output: Output) async throws {
    let stored = try StoredDesk(shop: shop, store: store)
    let basket = stored.desk.basket
    for sku in removed {
      let held = try await basket.basket().lines.map(\.sku)
      guard held.contains(sku) else { throw NotInBasket(sku: sku, path: store.path, held: held) }
      try await basket.remove(sku)
    }
    if removesCoupon { try await basket.use(coupon: nil) }
    let priced = try await stored.step { () throws(CheckoutError) in
      if !lines.isEmpty || coupon != nil { try await basket.add(lines, coupon: coupon) }
      let isEmptied = try await basket.basket().isEmpty && (!removed.isEmpty || removesCoupon)
      return isEmptied ? nil : try await basket.price()
    }
    // First shown, then saved: who does not see what was added adds it again.
    try output.write(text(of: priced, output.style))
    try stored.save()
  }

  /// The basket, or that nothing is left in it.
  private func text(of priced: PricedBasket?, _ style: Style) throws -> String {
    guard let priced else {
      return isJSON ? try JSONLine.of(["lines": [String]()]) : "The basket is empty.\n"
    }
    let statement = Statement(shop: shop, priced: priced, date: Time.now)
    return isJSON ? try JSONLine.of(priced) : statement.text(style: style)
  }
}
