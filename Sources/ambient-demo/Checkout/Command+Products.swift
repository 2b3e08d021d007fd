import Ambient
import Checkout
import Foundation

extension Command {
  static let products = Command(
    name: "products",
    summary: "List what the shop sells, and for how much.",
    details: """
      The prices are those of one, after the promotion that takes most off, before coupons, and as \
      the shop writes them: with the tax or without.
      """,
    examples: ["products", "products --at 2026-11-27T12:00", "products --shop shop.json --json"],
    options: [CheckoutOptions.shop, CheckoutOptions.at] + ServiceOptions.all
      + [CheckoutOptions.json],
    prepare: { arguments in
      let isJSON = arguments.has(CheckoutOptions.json)
      let shop = try CheckoutOptions.shop(arguments)
      return Run(services: try CheckoutOptions.services(arguments, in: shop)) { output in
        let list = try ProductList(shop: shop)
        try output.write(isJSON ? list.json() : list.text(style: output.style))
      }
    })
}

/// The products of a shop at an instant, with their prices.
struct ProductList {
  private struct Row: Encodable {
    let sku: SKU
    let name: String
    let price: Money
    let promotion: String?
    let stock: Int
    let saleHours: OpeningHours?
    let minimumAge: AgeLimit?
  }

  private struct Fields: Encodable {
    let shop: String
    let zone: Zone
    let date: Date
    let products: [Row]
  }

  private let fields: Fields
  private let title: String

  /// Creates the list for the present time.
  init(shop: Shop) throws {
    // The time is read only once, so that the whole list is of one instant.
    let now = Time.now
    title = "\(shop.name.printable), \(shop.zone.clock(at: now))"
    fields = try Time.freeze(at: now) {
      Fields(
        shop: shop.name, zone: shop.zone, date: now,
        products: try shop.catalogue.products.map { product in
          var basket = Basket()
          try basket.add(try BasketLine(product.sku))
          let line = try shop.prices.price(basket).lines[0]
          return Row(
            sku: product.sku, name: product.name, price: line.unitNet, promotion: line.promotion,
            stock: shop.stock[product.sku] ?? 0, saleHours: product.saleHours,
            minimumAge: product.minimumAge)
        })
    }
  }

  /// Returns a line with the shop's name and its local time, and a table of the products.
  func text(style: Style) -> String {
    var table = Table([
      Table.Column(heading: "SKU"), Table.Column(heading: "name"),
      Table.Column(heading: "price", isNumber: true), Table.Column(heading: "promotion"),
      Table.Column(heading: "in stock", isNumber: true), Table.Column(heading: "restriction"),
    ])
    for row in fields.products {
      let terms = [row.saleHours?.description, row.minimumAge.map { "from \($0.years) years on" }]
      table.add(
        [
          "\(row.sku)", row.name.printable, "\(row.price)", row.promotion?.printable ?? "",
          "\(row.stock)", terms.compactMap(\.self).joined(separator: ", "),
        ], marked: row.promotion != nil)
    }
    return """
      \(style.bold(title))

      \(table.lines(style: style).joined(separator: "\n"))

      """
  }

  /// Returns the list of products as one line of JSON.
  func json() throws -> String { try JSONLine.of(fields) }
}
