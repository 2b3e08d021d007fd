import Ambient
import Checkout
import Foundation

extension Command {
  private static let order = Option("ORDER", help: "The order, as the orders command lists it.")
  private static let amount = Option(
    "--amount", .text("AMOUNT"), help: "How much to give back, as \"4.50 USD\".")
  private static let goods = Option(
    "--item", .text("SKU[:QUANTITY]"), repeatable: true,
    help: "Goods that come back, for what was paid for them.")

  static let refund = Command(
    name: "refund",
    summary: "Give back an order of a stored shop, or a part of it.",
    details: """
      Without --item and --amount all that is left of the order is given back, and its goods return \
      to the stock. The goods of an order come, in whatever parts, to what was paid for it.
      """,
    examples: [
      "refund ORDER --store shop", "refund ORDER --store shop --item mug",
      "refund ORDER --store shop --amount \"4.50 USD\"",
    ],
    operand: order.required,
    options: [
      CheckoutOptions.store.required, goods, amount, CheckoutOptions.shop, CheckoutOptions.at,
      CheckoutOptions.failPayment.detail,
    ] + ServiceOptions.all + [CheckoutOptions.json],
    prepare: { arguments in
      guard let id = UUID(uuidString: arguments[order] ?? "") else {
        throw UsageError.invalidValue(
          order.name,
          reason: "“\(arguments[order] ?? "")” is no order; the orders command lists them")
      }
      if arguments.has(goods), arguments.has(amount) {
        throw UsageError.invalidValue(amount.name, reason: "it goes without \(goods.name)")
      }
      let lines = try arguments.all(goods).map { try BasketLine(argument: $0, of: goods) }
      var money: Money?
      do throws(MoneyError) { money = try arguments[amount].map(Money.init(_:)) } catch {
        throw UsageError.invalidValue(amount.name, reason: error.description)
      }
      let shop = try CheckoutOptions.shop(arguments)
      let folder = arguments[CheckoutOptions.store] ?? ""
      let failure = CheckoutOptions.failure(arguments)
      let isJSON = arguments.has(CheckoutOptions.json)
      let sum = money
      return Run(services: try CheckoutOptions.services(arguments, in: shop)) { output in
        let kept = try ShopFolder(folder, shop)
        let payments = FailingPayments(payments: kept.ledger, failure: failure, lastStep: nil)
        let stored = try StoredDesk(
          shop: shop, store: kept.basket, books: kept.books, payments: payments)
        let refund =
          lines.isEmpty
          ? try await stored.desk.refund(id, sum)
          : try await stored.desk.refund(id, goods: lines)
        try output.write(
          isJSON ? JSONLine.of(refund) : "\(refund.amount) of order \(id) is given back.\n")
      }
    })
}
