import Ambient
import Checkout
import Foundation

extension Command {
  static let orders = Command(
    name: "orders",
    summary: "List the orders of a stored shop.",
    details: """
      What an earlier run was killed in is settled first: the payment service is asked what came of \
      it.
      """,
    examples: ["orders --store my-shop", "orders --store my-shop --json"],
    options: [
      CheckoutOptions.store.required, CheckoutOptions.shop, CheckoutOptions.at,
    ] + ServiceOptions.all + [CheckoutOptions.json],
    prepare: { arguments in
      let shop = try CheckoutOptions.shop(arguments)
      let folder = arguments[CheckoutOptions.store] ?? ""
      let isJSON = arguments.has(CheckoutOptions.json)
      return Run(services: try CheckoutOptions.services(arguments, in: shop)) { output in
        let kept = try ShopFolder(folder, shop)
        let stored = try StoredDesk(
          shop: shop, store: kept.basket, books: kept.books, payments: kept.ledger)
        let settled = try await stored.settle()
        let list = try OrderList(shop: shop, books: kept.books, settled: settled)
        try output.write(isJSON ? list.json() : list.text(style: output.style))
      }
    })
}

/// The orders of a shop, and their refunds.
struct OrderList {
  private struct Row: Encodable {
    let order: Order
    let refunds: [Refund]
  }

  private struct Fields: Encodable {
    let shop: String
    let settled: [String]
    let orders: [Row]
  }

  private let zone: Zone
  private let fields: Fields

  init(shop: Shop, books: ShopStore, settled: [String]) throws {
    zone = shop.zone
    fields = Fields(
      shop: shop.name, settled: settled,
      orders: try books.orders.map { Row(order: $0, refunds: try books.refunds(of: $0.id)) })
  }

  /// Returns the orders as a table.
  func text(style: Style) -> String {
    let said = fields.settled.map { $0 + "\n" }.joined()
    guard !fields.orders.isEmpty else { return said + "There are no orders.\n" }
    var table = Table([
      Table.Column(heading: "order"), Table.Column(heading: "date"),
      Table.Column(heading: "paid", isNumber: true),
      Table.Column(heading: "given back", isNumber: true),
    ])
    for row in fields.orders {
      let back = row.refunds.filter(\.isPaid).reduce(0) { $0 + $1.amount.minorUnits }
      table.add([
        "\(row.order.id)", "\(zone.date(of: row.order.placedAt))", "\(row.order.total)",
        back == 0 ? "" : Money(minorUnits: back, row.order.total.currency).number,
      ])
    }
    return said + table.lines(style: style).joined(separator: "\n") + "\n"
  }

  /// One line of JSON.
  func json() throws -> String { try JSONLine.of(fields) }
}
