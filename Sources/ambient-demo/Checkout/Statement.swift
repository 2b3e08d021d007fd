import Checkout
import Foundation

/// What a basket costs at a shop, at an instant.
struct Statement {
  let shop: Shop
  let priced: PricedBasket
  let date: Date

  /// The shop and its clock, and a table of the lines and of what comes to them.
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
      \(style.bold("\(shop.name.printable), \(shop.zone.clock(at: date))"))

      \(table.lines(style: style).joined(separator: "\n"))

      """
  }

  private var sums: [(name: String, amount: String)] {
    var sums: [(name: String, amount: String)] = []
    if let coupon = priced.coupon {
      sums.append(("coupon \(coupon.printable)", "-" + priced.couponDiscount.number))
    }
    let total = ("to pay", priced.total.number)
    guard let rate = priced.taxRate else { return sums + [total] }
    return priced.taxIncluded
      ? sums + [total, ("in it, tax of \(rate)", priced.tax.number)]
      : sums + [("tax of \(rate)", priced.tax.number), total]
  }
}

extension Zone {
  /// What the clock in the shop shows, to the second: `Fri 2026-11-27 00:00:00 -05:00`.
  func clock(at instant: Date) -> String {
    let date = date(of: instant)
    let weekday = date.weekday.rawValue.prefix(3).capitalized
    let offset = timeZone.secondsFromGMT(for: instant) / 60
    let sign = offset < 0 ? "-" : "+"
    let hours = "\(sign)\(Self.two(abs(offset) / 60)):\(Self.two(abs(offset) % 60))"
    return "\(weekday) \(date) \(time(at: instant)) \(hours)"
  }

  /// The time of day that the clock shows, to the second: `00:00:00`.
  func time(at instant: Date) -> String {
    let second = local(instant).time.secondOfDay
    return [second / 3_600, second / 60 % 60, second % 60].map(Self.two).joined(separator: ":")
  }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}
