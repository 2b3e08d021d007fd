// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

extension Command {
  static let checkout = Command.ofShop(
    "checkout",
    summary: "Buy something at the shop, now or at any instant.",
    details: """
      Promotions, the coupon, tax and delivery depend on the time, which --at freezes. Each step is \
      logged and tracked. Without --item and --store, the example's basket is bought: 2 coffee, 1 \
      mug and the coupon WELCOME10.
      """,
    examples: [
      "checkout --at 2026-11-27", "checkout --item coffee:2 --json",
      "checkout --store my-shop --log none",
    ],
    options: [
      CheckoutOptions.item, CheckoutOptions.coupon, CheckoutOptions.born, CheckoutOptions.store,
      CheckoutOptions.failPayment.detail, CheckoutOptions.crashAfter.detail,
      CheckoutOptions.wiring.detail,
    ],
    parse: { arguments in
      let isExample =
        !arguments.has(CheckoutOptions.item) && !arguments.has(CheckoutOptions.store)
      // The example's basket has the goods of the example shop.
      if isExample, arguments.has(CheckoutOptions.shop) {
        let item = CheckoutOptions.item.usage
        throw UsageError.missing(item, usage: "ambient-demo checkout --shop FILE \(item)")
      }
      let lines = try isExample ? ExampleBasket.lines() : CheckoutOptions.lines(arguments)
      let coupon = arguments[CheckoutOptions.coupon] ?? (isExample ? ExampleBasket.coupon : nil)
      return { visit, output in
        let born = try CheckoutOptions.born(arguments, by: visit.shop.zone.date(of: Time.now))
        let request = CheckoutRequest(
          lines, coupon: coupon, payment: PaymentMethod(.invoice, token: "demo"), born: born)
        try await buy(request, visit, output)
      }
    })

  /// Buys the goods of the request and of the stored basket, and writes the receipt.
  private static func buy(
    _ request: CheckoutRequest, _ visit: ShopVisit, _ output: Output
  ) async throws {
    let stored = try visit.openDesk()
    let settlement = try await stored.settle()
    if !visit.isJSON {
      for line in settlement.lines { try output.write(line + "\n") }
    }
    let order: Order
    do { order = try await stored.checkout(request) } catch CheckoutError.paymentPending {
      throw PendingPayment(folder: visit.folder)
    }
    if visit.lastStep == .order { FailingPayments.crash() }
    do {
      try output.write(Receipt(shop: visit.shop, order: order), asJSON: visit.isJSON)
    } catch {
      throw UnshownOrder(id: order.id, reason: "\(error)")
    }
  }
}

/// The order as a buyer sees it.
private struct Receipt: CommandResult {
  private let statement: PriceStatement
  private let shop: String
  private let zone: Zone
  private let order: Order

  private enum CodingKeys: CodingKey {
    case shop, zone, order
  }

  init(shop: Shop, order: Order) {
    statement = PriceStatement(shop: shop, priced: order.priced, date: order.placedAt)
    (self.shop, zone, self.order) = (shop.name, shop.zone, order)
  }

  /// The receipt as text: the goods with their prices, and the dates of shipping, arrival and
  /// billing.
  func text(style: Style) -> String {
    var dates = ""
    if let day = order.shipDate, let arrival = order.delivery {
      dates = "Ships \(day), arrives \(arrival).\n"
    }
    for (sku, schedule) in order.billing.sorted(by: { $0.key < $1.key }) {
      let next = (try? schedule.dates(3))?.map(\.description).joined(separator: ", ") ?? ""
      dates += "\(sku.rawValue.printable) is billed again on \(next), and so on.\n"
    }
    return """
      \(statement.text(style: style))
      Order \(order.id) is placed.
      \(dates)
      """
  }
}

/// The error of a payment whose outcome is unknown.
struct PendingPayment: Error, Hashable, Sendable, CustomStringConvertible {
  let folder: String?

  var description: String {
    let advice =
      folder.map { "the goods stay reserved; check again with orders --store \($0)" }
      ?? "with --store DIR, the next run would check again"
    return "the outcome of the payment is unknown; \(advice)"
  }
}

/// The error of an order that is placed, but that cannot be written to the output.
struct UnshownOrder: Error, Hashable, Sendable, CustomStringConvertible {
  let id: UUID
  let reason: String

  var description: String { "order \(id) is placed, so do not buy again; but \(reason)" }
}
