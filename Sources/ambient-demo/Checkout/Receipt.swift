import Checkout

/// What a buyer gets to see of an order.
struct Receipt {
  let shop: Shop
  let order: Order

  /// What was bought and what it cost, and when it arrives.
  func text(style: Style) -> String {
    let arrival = order.delivery.map { "It arrives \($0).\n" } ?? ""
    return """
      \(Statement(shop: shop, priced: order.priced, date: order.placedAt).text(style: style))
      Order \(order.id) is placed.
      \(arrival)
      """
  }

  /// One line of JSON.
  func json() throws -> String {
    try JSONLine.of(Fields(shop: shop.name, zone: shop.zone, order: order))
  }

  private struct Fields: Encodable {
    let shop: String
    let zone: Zone
    let order: Order
  }
}
