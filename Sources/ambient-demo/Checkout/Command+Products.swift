// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

extension Command {
  static let products = Command.ofShop(
    "products",
    summary: "List the products and their prices.",
    details: """
      Each price is for one item, after the best promotion and before coupons. It includes tax if \
      the shop's prices do.
      """,
    examples: ["products", "products --at 2026-11-27T12:00", "products --shop shop.json --json"],
    options: [],
    parse: { _ in
      { visit, output in try output.write(ProductList(shop: visit.shop), asJSON: visit.isJSON) }
    })
}

/// The products of a shop at an instant, with their prices.
struct ProductList: CommandResult {
  private struct Row: Encodable {
    let sku: SKU
    let name: String
    let price: Money
    let promotion: String?
    let stock: Int
    let saleHours: OpeningHours?
    let minimumAge: AgeLimit?
  }

  private enum CodingKeys: CodingKey {
    case shop, zone, date, products
  }

  private let shop: String
  private let zone: Zone
  private let date: Date
  private let products: [Row]

  /// Creates the list for the present time.
  init(shop: Shop) throws {
    // The time is read only once, so that the whole list is of one instant.
    let now = Time.now
    (self.shop, zone, date) = (shop.name, shop.zone, now)
    products = try Time.freeze(at: now) {
      try shop.catalogue.products.map { product in
        var basket = Basket()
        try basket.add(try BasketLine(product.sku))
        let line = try shop.prices.price(basket).lines[0]
        return Row(
          sku: product.sku, name: product.name, price: line.unitNet, promotion: line.promotion,
          stock: shop.stock[product.sku] ?? 0, saleHours: product.saleHours,
          minimumAge: product.minimumAge)
      }
    }
  }

  /// Returns a line with the shop's name and its local time, and a table of the products.
  func text(style: Style) -> String {
    var table = Table([
      Table.Column(heading: "SKU"), Table.Column(heading: "name"),
      Table.Column(heading: "price", isNumber: true), Table.Column(heading: "promotion"),
      Table.Column(heading: "in stock", isNumber: true), Table.Column(heading: "restriction"),
    ])
    for row in products {
      let terms = [row.saleHours?.description, row.minimumAge.map { "from \($0.years) years on" }]
      table.add(
        [
          "\(row.sku)", row.name.printable, "\(row.price)", row.promotion?.printable ?? "",
          "\(row.stock)", terms.compactMap(\.self).joined(separator: ", "),
        ], marked: row.promotion != nil)
    }
    return """
      \(style.heading("\(shop.printable), \(zone.clock(at: date))"))

      \(table.lines(style: style).joined(separator: "\n"))

      """
  }
}
