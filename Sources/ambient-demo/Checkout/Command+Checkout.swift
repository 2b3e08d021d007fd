import Ambient
import Checkout
import CheckoutWiring
import Foundation

extension Command {
  static let checkout = Command(
    name: "checkout",
    summary: "Buy something at the shop, now or at any instant.",
    details: """
      Promotions, the coupon, tax and delivery are decided by the time, which --at makes stand \
      still. Each step is logged and tracked.
      """,
    options: CheckoutOptions.all + [CheckoutOptions.wiring] + ServiceOptions.all
      + [CheckoutOptions.json],
    prepare: { arguments in
      let lines = try CheckoutOptions.lines(arguments)
      if lines.isEmpty, !arguments.has(CheckoutOptions.store) {
        throw UsageError.missingOption(
          "\(CheckoutOptions.item.usage) or \(CheckoutOptions.store.usage)")
      }
      let shop = try CheckoutOptions.shop(arguments)
      let services = try CheckoutOptions.services(arguments, in: shop)
      let purchase = Purchase(
        lines: lines, coupon: arguments[CheckoutOptions.coupon],
        born: try CheckoutOptions.born(arguments, by: shop.zone.date(of: services.time.now)),
        isJSON: arguments.has(CheckoutOptions.json), shop: shop,
        store: try CheckoutOptions.store(arguments),
        wiring: CheckoutOptions.wiring(arguments))
      return Run(services: services, body: purchase.make)
    })
}

/// One walk through a shop, from the basket to the order.
struct Purchase: Sendable {
  let lines: [BasketLine]
  let coupon: String?
  let born: LocalDate?
  let isJSON: Bool
  let shop: Shop
  let store: FileBasketStore?
  let wiring: WiringStyle

  /// Buys, empties the stored basket, and writes the receipt.
  func make(_ output: Output) async throws {
    let stored = try StoredDesk(shop: shop, store: store, wiring: wiring)
    let request = CheckoutRequest(
      lines, coupon: coupon, payment: PaymentMethod(.invoice, token: "demo"), born: born)
    let order = try await stored.step { () throws(CheckoutError) in
      try await stored.desk.checkout(request)
    }
    // The order stands from here on: neither failure keeps the other from being tried.
    var reasons: [String] = []
    do { try stored.save() } catch { reasons.append("\(error)") }
    let receipt = Receipt(shop: shop, order: order)
    do {
      try output.write(isJSON ? receipt.json() : receipt.text(style: output.style))
    } catch {
      reasons.append("\(error)")
    }
    guard reasons.isEmpty else { throw UnfinishedOrder(id: order.id, reasons: reasons) }
  }
}

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

/// An order that was placed, and what could not be done after it.
struct UnfinishedOrder: Error, Hashable, Sendable, CustomStringConvertible {
  let id: UUID
  let reasons: [String]

  var description: String {
    "order \(id) is placed, so do not buy again; but \(reasons.joined(separator: "; and "))"
  }
}
