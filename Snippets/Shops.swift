// SPDX-License-Identifier: Apache-2.0

// A shop whose state survives the end of the program.

import Checkout
import Foundation

func settle(_ payments: some PaymentService) async throws {
  // snippet.shop-open
  let shop = try Shop(contentsOf: "shop.json")
  let books = try ShopStore(shop, folder: "/var/lib/shop")
  let basket = BasketClient(
    store: try FileBasketStore(folder: "/var/lib/shop/baskets/1"),
    service: MemoryBasketService(), prices: shop.prices)
  let desk = CheckoutDesk(shop: shop, basket: basket, books: books, payments: payments)
  let unknown = try await desk.settle()  // resolves payments that an earlier run left pending
  // snippet.end
  _ = unknown

  // snippet.shop-pay
  try await desk.basket.add("coffee", 2)
  let checkout = try await desk.begin()
  do {
    let order = try await desk.pay(checkout, with: PaymentMethod(.card, token: "tok_1"))
    print(order.id, order.total)
  } catch CheckoutError.paymentPending {
    // Paying for the same checkout again first asks for the outcome, so nothing is charged twice.
  }
  // snippet.end

  // snippet.shop-total
  let seen = try await desk.basket.price().total  // on the buyer's screen
  let request = CheckoutRequest([], payment: PaymentMethod(.card, token: "tok_1"), total: seen)
  _ = try await desk.checkout(request)  // throws CheckoutError.otherTotal if the total has changed
  // snippet.end

  let order = books.orders[0]
  let delivered = try LocalDate("2026-11-30")
  // snippet.shop-refund
  try await desk.refund(order.id, goods: [BasketLine("coffee")])  // what was paid for it
  try await desk.refund(order.id, Money("1.00 USD"))  // a reduction: no goods come back
  try await desk.withdraw(order.id, delivered: delivered)  // the rest, within the withdrawal period
  // snippet.end
}
