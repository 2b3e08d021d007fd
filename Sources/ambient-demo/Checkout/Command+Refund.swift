// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

extension Command {
  private static let order = Option("ORDER", help: "The order, as the orders command lists it.")
  private static let amount = Option(
    "--amount", .text("AMOUNT"), help: "The amount to refund, such as \"4.50 USD\".")
  private static let goods = Option(
    "--item", .text("SKU[:QUANTITY]"), repeatable: true,
    help: "Returned goods, to refund at the price that was paid.")

  static let refund = Command.ofShop(
    "refund",
    summary: "Refund an order of a stored shop, or a part of it.",
    details: """
      Without --item and --amount, the rest of the order is refunded, and its goods return to the \
      stock. The refunds of all parts of an order add up to the price that was paid for it.
      """,
    examples: [
      "refund ORDER --store shop", "refund ORDER --store shop --item mug",
      "refund ORDER --store shop --amount \"4.50 USD\"",
    ],
    operand: order.required,
    options: [
      CheckoutOptions.store.required, goods, amount, CheckoutOptions.failPayment.detail,
    ],
    parse: { arguments in
      guard let id = UUID(uuidString: arguments[order] ?? "") else {
        throw UsageError.invalidValue(
          order.name,
          reason: "“\(arguments[order] ?? "")” is not an order; the orders command lists them")
      }
      if arguments.has(goods), arguments.has(amount) {
        throw UsageError.invalidValue(amount.name, reason: "pass it without \(goods.name)")
      }
      let lines = try arguments.all(goods).map { try BasketLine(argument: $0, of: goods) }
      let sum: Money?
      do throws(MoneyError) { sum = try arguments[amount].map(Money.init(_:)) } catch {
        throw UsageError.invalidValue(amount.name, reason: error.description)
      }
      return { visit, output in
        let desk = try visit.openDesk().desk
        let refund =
          lines.isEmpty
          ? try await desk.refund(id, sum) : try await desk.refund(id, goods: lines)
        try output.write(PaidRefund(refund: refund, order: id), asJSON: visit.isJSON)
      }
    })
}

/// A refund that was paid.
private struct PaidRefund: CommandResult {
  let refund: Refund
  let order: UUID

  func text(style: Style) -> String { "Refunded \(refund.amount) of order \(order).\n" }

  func encode(to encoder: any Encoder) throws { try refund.encode(to: encoder) }
}
