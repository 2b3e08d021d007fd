import Ambient
import Checkout
import Foundation

/// What a buyer gets to see of an order.
struct Receipt {
  let shop: Shop
  let order: Order

  /// A table of the lines and what comes to them.
  func text(style: Style) -> String {
    let priced = order.priced
    var table = Table([
      Table.Column(heading: "product"), Table.Column(heading: "count", isNumber: true),
      Table.Column(heading: "each", isNumber: true), Table.Column(heading: "promotion"),
      Table.Column(heading: priced.currency.code, isNumber: true),
    ])
    for line in priced.lines {
      table.add(
        [
          line.name.printable, "\(line.quantity)", line.unitPrice.number,
          line.promotion?.printable ?? "", line.total.number,
        ], marked: line.promotion != nil)
    }
    func addSum(_ name: String, _ amount: String) { table.add(["", "", "", name, amount]) }
    if let coupon = priced.coupon {
      addSum("coupon \(coupon)", "-" + priced.couponDiscount.number)
    }
    if let rate = priced.taxRate, !priced.taxIncluded {
      addSum("tax of \(rate)", priced.tax.number)
    }
    addSum("to pay", priced.total.number)
    if let rate = priced.taxRate, priced.taxIncluded {
      addSum("in it, tax of \(rate)", priced.tax.number)
    }
    let arrival = order.delivery.map { "It arrives \($0).\n" } ?? ""
    return """
      \(style.bold("\(shop.name.printable), \(shop.zone.clock(at: order.placedAt))"))

      \(table.lines(style: style).joined(separator: "\n"))

      Order \(order.id) is placed.
      \(arrival)
      """
  }

  /// One line of JSON, with instants in ISO 8601 and amounts as `29.77 USD`.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.iso8601())
    }
    let data = try encoder.encode(Fields(shop: shop.name, zone: shop.zone, order: order))
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private struct Fields: Encodable {
    let shop: String
    let zone: Zone
    let order: Order
  }
}

extension String {
  /// The text without what breaks a line or steers a terminal: a shop's file may be anybody's.
  fileprivate var printable: String {
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: text.append("\u{FFFD}")
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
