import Checkout

/// A product that was to be taken out of a basket in which it is not.
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
