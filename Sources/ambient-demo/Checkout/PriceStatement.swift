// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

/// The price of a basket at a shop, at an instant.
struct PriceStatement {
  let shop: Shop
  let priced: PricedBasket
  let date: Date

  /// The shop's name and local time, and a table of the lines and totals.
  func text(style: Style) -> String {
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
    for (name, amount) in sums { table.add(["", "", "", name, amount]) }
    return """
      \(style.heading("\(shop.name.printable), \(shop.zone.clock(at: date))"))

      \(table.lines(style: style).joined(separator: "\n"))

      """
  }

  private var sums: [(name: String, amount: String)] {
    var sums: [(name: String, amount: String)] = []
    if let coupon = priced.coupon {
      sums.append(("coupon \(coupon.printable)", "-" + priced.couponDiscount.number))
    }
    let total = ("to pay", priced.total.number)
    let taxes = priced.taxes.map { part in
      (priced.taxIncluded ? "included tax of \(part.rate)" : "tax of \(part.rate)", part.tax.number)
    }
    return sums + (priced.taxIncluded ? [total] + taxes : taxes + [total])
  }
}
