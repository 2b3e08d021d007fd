import Ambient
import AmbientTesting
import Checkout
import Testing

@Suite struct `Events of the shop` {
  @Test(arguments: [("0.10 USD", 3, 0.3), ("19.99 USD", 3, 59.97), ("1.234 KWD", 7, 8.638)])
  func `give the value of a line without the noise of fractions`(
    price: String, quantity: Int, value: Double
  ) throws {
    let product = Product(sku: "pin", name: "Pin", price: try Money(price))
    for event in [
      Event.addToCart(product, quantity: quantity),
      .removeFromCart(product, quantity: quantity),
    ] {
      #expect(event.properties["value"] == .double(value))
    }
  }

  @Test(.frozen(at: "2026-11-27T00:00:00-05:00"))
  func `say which part of a refund is tax`() async throws {
    let desk = CheckoutDesk(shop: try Shop.example(), payments: PaymentLedger())
    let order = try await desk.checkout(
      CheckoutRequest(
        [BasketLine("coffee", 2)], payment: PaymentMethod(.card, token: "tok_1"),
        key: try IdempotencyKey("key-1")))
    #expect(try order.priced.taxRate == Percentage(thousandths: 8_875))
    let whole = Event.refund(order, order.total).properties
    #expect(whole["tax"] == .double(order.priced.tax.value))
    #expect(whole["items"] == Event.purchase(order).properties["items"])
    let part = Event.refund(order, try Money("10.00 USD")).properties
    // 10.00 is 108.875 percent of 9.18.
    #expect(part == ["transaction_id": order.id, "tax": 0.82, "currency": "USD", "value": 10.0])
  }
}
