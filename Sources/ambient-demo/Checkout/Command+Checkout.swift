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
    examples: [
      "checkout --item coffee:2 --coupon WELCOME10",
      "checkout --item mug --at 2026-11-27 --json",
      "checkout --store my-shop --log none",
    ],
    options: CheckoutOptions.all
      + [CheckoutOptions.failPayment, CheckoutOptions.crashAfter, CheckoutOptions.wiring]
      .map(\.detail)
      + ServiceOptions.all
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
        folder: arguments[CheckoutOptions.store], failure: CheckoutOptions.failure(arguments),
        lastStep: arguments[CheckoutOptions.crashAfter].flatMap(FailingPayments.Step.init),
        wiring: CheckoutOptions.wiring(arguments))
      return Run(services: services, body: purchase.make)
    })
}

/// A purchase in a shop, from the basket to the order.
struct Purchase: Sendable {
  let lines: [BasketLine]
  let coupon: String?
  let born: LocalDate?
  let isJSON: Bool
  let shop: Shop
  /// The folder of the basket and the shop; nil for a shop in memory.
  let folder: String?
  let failure: FailingPayments.Failure?
  let lastStep: FailingPayments.Step?
  let wiring: WiringStyle

  /// Buys the goods, empties the stored basket, and writes the receipt.
  func make(_ output: Output) async throws {
    let kept = try folder.map { try ShopFolder($0, shop) }
    let payments = FailingPayments(
      payments: kept?.ledger ?? PaymentLedger(), failure: failure, lastStep: lastStep)
    let stored = try StoredDesk(
      shop: shop, store: kept?.basket, books: kept?.books, payments: payments, wiring: wiring)
    if failure == nil, !isJSON {
      for line in try await stored.settle() { try output.write(line + "\n") }
    }
    let request = CheckoutRequest(
      lines, coupon: coupon, payment: PaymentMethod(.invoice, token: "demo"), born: born)
    let order: Order
    do {
      order = try await stored.step { () throws(CheckoutError) in
        try await stored.desk.checkout(request)
      }
    } catch CheckoutError.paymentPending {
      throw PendingPayment(folder: folder)
    }
    if lastStep == .order { FailingPayments.crash() }
    // The order is placed: both of the next steps are tried, even if the first one fails.
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

/// The order as a buyer sees it.
struct Receipt {
  let shop: Shop
  let order: Order

  /// The receipt as text: the goods with their prices, and the dates of shipping, arrival and
  /// billing.
  func text(style: Style) -> String {
    var dates = ""
    if let day = order.shipDate, let arrival = order.delivery {
      dates = "It ships \(day), and arrives \(arrival).\n"
    }
    for (sku, schedule) in order.billing.sorted(by: { $0.key < $1.key }) {
      let next = (try? schedule.dates(3))?.map(\.description).joined(separator: ", ") ?? ""
      dates += "\(sku.rawValue.printable) is billed again on \(next), and so on.\n"
    }
    return """
      \(PriceStatement(shop: shop, priced: order.priced, date: order.placedAt).text(style: style))
      Order \(order.id) is placed.
      \(dates)
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

/// The error of a payment whose outcome is unknown.
struct PendingPayment: Error, Hashable, Sendable, CustomStringConvertible {
  let folder: String?

  var description: String {
    let advice =
      folder.map { "the goods are kept until it is: orders --store \($0) asks again" }
      ?? "with --store DIR the next run would ask again"
    return "it is not known yet whether the payment was made; \(advice)"
  }
}

/// The error of a step that failed after the order was placed.
struct UnfinishedOrder: Error, Hashable, Sendable, CustomStringConvertible {
  let id: UUID
  let reasons: [String]

  var description: String {
    "order \(id) is placed, so do not buy again; but \(reasons.joined(separator: "; and "))"
  }
}
