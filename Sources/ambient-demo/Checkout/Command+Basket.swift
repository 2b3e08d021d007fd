import Ambient
import Checkout

extension Command {
  static let basket = Command(
    name: "basket",
    summary: "Fill a stored basket, and show what it costs.",
    details: """
      First products are taken out of the basket of the folder that --store names, then the items \
      and the coupon are put in: all or nothing. Without any, the basket is only shown. The checkout \
      command buys it.
      """,
    examples: [
      "basket --store my-shop --item coffee:2", "basket --store my-shop --remove coffee",
      "basket --store my-shop --at 2026-11-27",
    ],
    options: [
      CheckoutOptions.store.required, CheckoutOptions.item, CheckoutOptions.remove,
      CheckoutOptions.coupon,
      CheckoutOptions.noCoupon, CheckoutOptions.at, CheckoutOptions.shop,
    ] + ServiceOptions.all + [CheckoutOptions.json],
    prepare: { arguments in
      let lines = try CheckoutOptions.lines(arguments)
      let shop = try CheckoutOptions.shop(arguments)
      guard let store = try CheckoutOptions.store(arguments) else {
        throw UsageError.missingOption(CheckoutOptions.store.usage)
      }
      let change = BasketChange(
        lines: lines, removed: arguments.all(CheckoutOptions.remove).map { SKU($0) },
        coupon: arguments[CheckoutOptions.coupon],
        removesCoupon: arguments.has(CheckoutOptions.noCoupon),
        isJSON: arguments.has(CheckoutOptions.json), shop: shop, store: store)
      return Run(services: try CheckoutOptions.services(arguments, in: shop), body: change.make)
    })
}

/// Changes of a stored basket, made together or not at all.
struct BasketChange: Sendable {
  let lines: [BasketLine]
  let removed: [SKU]
  let coupon: String?
  let removesCoupon: Bool
  let isJSON: Bool
  let shop: Shop
  let store: FileBasketStore

  /// Removes products and, if `removesCoupon` is true, the coupon; then adds `lines` and `coupon`.
  /// Shows the basket before it is saved.
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
      let isEmpty = try await basket.basket().isEmpty && coupon == nil
      return isEmpty ? nil : try await basket.price()
    }
    // The basket is shown before it is saved. If the basket were saved first and the output failed,
    // the user would believe that the whole change failed, and add the goods a second time.
    try output.write(text(of: priced, output.style))
    try stored.save()
  }

  /// The basket as text or as JSON. The text of an empty basket is a sentence that says so.
  private func text(of priced: PricedBasket?, _ style: Style) throws -> String {
    guard let priced else {
      return isJSON ? try JSONLine.of(["lines": [String]()]) : "The basket is empty.\n"
    }
    let statement = PriceStatement(shop: shop, priced: priced, date: Time.now)
    return isJSON ? try JSONLine.of(priced) : statement.text(style: style)
  }
}

/// The error for the removal of a product that is not in the basket.
struct NotInBasket: Error, Hashable, Sendable, CustomStringConvertible {
  let sku: SKU
  let path: String
  let held: [SKU]

  var description: String {
    let advice =
      held.isEmpty
      ? "it is empty" : "in it are \(held.map(\.description).joined(separator: ", "))"
    return "there is no “\(sku)” in \(path); \(advice)"
  }
}
