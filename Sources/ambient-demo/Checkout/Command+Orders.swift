// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

extension Command {
  static let orders = Command.ofShop(
    "orders",
    summary: "List the orders of a stored shop.",
    details: """
      If an earlier run was killed during a payment or a refund, the command first asks the \
      payment service for the outcome.
      """,
    examples: ["orders --store my-shop", "orders --store my-shop --json"],
    options: [CheckoutOptions.store.required],
    parse: { _ in
      { visit, output in
        let stored = try visit.openDesk()
        let settled = try await stored.settle()
        let list = try OrderList(shop: visit.shop, books: stored.desk.books, settled: settled)
        try output.write(list, asJSON: visit.isJSON)
      }
    })
}

/// The orders of a shop, and their refunds.
private struct OrderList: CommandResult {
  private struct Row: Encodable {
    let order: Order
    let refunds: [Refund]
  }

  private enum CodingKeys: CodingKey {
    case shop, settled, orders
  }

  private let zone: Zone
  private let shop: String
  private let settled: Settlement
  private let orders: [Row]

  init(shop: Shop, books: ShopStore, settled: Settlement) throws {
    (zone, self.shop, self.settled) = (shop.zone, shop.name, settled)
    orders = try books.orders.map { Row(order: $0, refunds: try books.refunds(of: $0.id)) }
  }

  /// Returns the orders as a table.
  func text(style: Style) -> String {
    let settled = settled.lines.map { $0 + "\n" }.joined()
    if orders.isEmpty { return settled + "There are no orders.\n" }
    var table = Table([
      Table.Column(heading: "order"), Table.Column(heading: "date"),
      Table.Column(heading: "paid", isNumber: true),
      Table.Column(heading: "refunded", isNumber: true),
    ])
    for row in orders {
      let back = row.refunds.filter(\.isPaid).reduce(0) { $0 + $1.amount.minorUnits }
      table.add([
        "\(row.order.id)", "\(zone.date(of: row.order.placedAt))", "\(row.order.total)",
        back == 0 ? "" : Money(minorUnits: back, row.order.total.currency).number,
      ])
    }
    return settled + table.lines(style: style).joined(separator: "\n") + "\n"
  }
}
