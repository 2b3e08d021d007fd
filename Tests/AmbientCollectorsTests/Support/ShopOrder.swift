// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

/// Buys in the example shop, and gives all of it back; the recorder has the eight events.
func orderAndRefund(_ recorder: AnalyticsRecorder) async throws -> Order {
  Analytics.instance = recorder
  Log.instance = LogRecorder()
  let desk = CheckoutDesk(
    shop: try Shop.example(), store: MemoryBasketStore(), payments: PaymentLedger())
  let order = try await desk.checkout(
    CheckoutRequest(
      [BasketLine("coffee", 2), BasketLine("mug")], coupon: "WELCOME10",
      payment: PaymentMethod(.card, token: "tok_1"), key: try IdempotencyKey("key-1")))
  try await desk.refund(order.id)
  return order
}
