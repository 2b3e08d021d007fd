// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

extension Command {
  static let basket = Command.ofShop(
    "basket",
    summary: "Change a stored basket, and show its price.",
    details: """
      Changes the basket in the folder of --store: --remove takes products out, then --item and \
      --coupon add to it, all or nothing. Without changes, the basket is only shown. The checkout \
      command buys it.
      """,
    examples: [
      "basket --store my-shop --item coffee:2", "basket --store my-shop --remove coffee",
      "basket --store my-shop --at 2026-11-27",
    ],
    options: [
      CheckoutOptions.store.required, CheckoutOptions.item, CheckoutOptions.remove,
      CheckoutOptions.coupon, CheckoutOptions.noCoupon,
    ],
    parse: { arguments in
      let change = BasketChange(
        lines: try CheckoutOptions.lines(arguments),
        removed: arguments.all(CheckoutOptions.remove).map { SKU($0) },
        coupon: arguments[CheckoutOptions.coupon],
        removesCoupon: arguments.has(CheckoutOptions.noCoupon))
      return { visit, output in try await change.make(visit, output) }
    })
}

/// Changes of a stored basket, made together or not at all.
private struct BasketChange: Sendable {
  let lines: [BasketLine]
  let removed: [SKU]
  let coupon: String?
  let removesCoupon: Bool

  /// Makes the change in a copy of the basket, shows the copy, and then makes it in the store.
  func make(_ visit: ShopVisit, _ output: Output) async throws {
    let store = try FileBasketStore(folder: visit.folder ?? "")
    let before = try store.load()
    let copy = MemoryBasketStore(before)
    let basket = BasketClient(
      store: copy, service: MemoryBasketService(), prices: visit.shop.prices)
    for sku in removed {
      let held = copy.load()?.lines.map(\.sku) ?? []
      guard held.contains(sku) else { throw NotInBasket(sku: sku, path: store.path, held: held) }
      try await basket.remove(sku)
    }
    if removesCoupon { try await basket.use(coupon: nil) }
    let priced = try await StoredBasketError.naming(store) { () throws(CheckoutError) in
      if !lines.isEmpty || coupon != nil { try await basket.add(lines, coupon: coupon) }
      let isEmpty = try await basket.basket().isEmpty && coupon == nil
      return isEmpty ? nil : try await basket.price()
    }
    // The basket is shown before it is stored. If it were stored first and the output failed, the
    // user would believe that the whole change failed, and add the goods a second time.
    let statement = priced.map { PriceStatement(shop: visit.shop, priced: $0, date: Time.now) }
    try output.write(ShownBasket(statement: statement), asJSON: visit.isJSON)
    guard let after = copy.load(), after != before else { return }
    // Another process may have changed the stored basket meanwhile, so the change itself is
    // repeated there.
    try store.change { stored throws(CheckoutError) in
      for sku in removed { stored.remove(sku) }
      if removesCoupon { stored.use(coupon: nil) }
      for line in lines { try stored.add(line) }
      if coupon != nil { stored.use(coupon: after.coupon) }
    }
  }
}

/// The price of a basket; a sentence if the basket is empty.
private struct ShownBasket: CommandResult {
  let statement: PriceStatement?

  func text(style: Style) -> String {
    statement?.text(style: style) ?? "The basket is empty.\n"
  }

  func encode(to encoder: any Encoder) throws {
    if let statement { return try statement.priced.encode(to: encoder) }
    try ["lines": [String]()].encode(to: encoder)
  }
}

/// The error for the removal of a product that is not in the basket.
struct NotInBasket: Error, Hashable, Sendable, CustomStringConvertible {
  let sku: SKU
  let path: String
  let held: [SKU]

  var description: String {
    let names = held.map(\.description).joined(separator: ", ")
    return "there is no “\(sku)” in \(path), which \(held.isEmpty ? "is empty" : "holds \(names)")"
  }
}
