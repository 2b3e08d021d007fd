// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Testing

@Suite struct `Shop events` {
  @Test(arguments: [("0.10 USD", 3, 0.3), ("19.99 USD", 3, 59.97), ("1.234 KWD", 7, 8.638)])
  func `a shop event's value has no floating-point error`(
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

  @Test func `a product event has the product's price, quantity and value`() throws {
    let product = Product(sku: "pin", name: "A pin", price: try Money("2.50 USD"))
    func event(_ name: String, _ quantity: Int, _ value: Double) -> Event {
      Event(
        name,
        [
          "currency": "USD", "value": .double(value),
          "items": AmbientValue.array([
            .fields([
              "item_id": "pin", "item_name": "A pin", "price": 2.5,
              "quantity": .integer(Int64(quantity)),
            ])
          ]),
        ])
    }
    #expect(Event.viewItem(product) == event("view_item", 1, 2.5))
    #expect(Event.addToCart(product, quantity: 3) == event("add_to_cart", 3, 7.5))
    #expect(Event.removeFromCart(product, quantity: 2) == event("remove_from_cart", 2, 5))
  }

  @Test(.frozen(at: "2026-11-20T12:00:00-05:00"))
  func `a refund event lists only the returned goods`() async throws {
    let desk = CheckoutDesk(shop: try Shop.example(), payments: PaymentLedger())
    let order = try await desk.checkout(
      CheckoutRequest(
        [BasketLine("coffee", 5), BasketLine("mug", 2), BasketLine("filters")],
        payment: PaymentMethod(.card, token: "tok_1")))
    let refund = try await desk.refund(
      order.id, goods: [BasketLine("filters"), BasketLine("coffee"), BasketLine("coffee", 2)])
    #expect(refund.isPaid)
    guard case .array(let items)? = Event.refund(order, refund).properties["items"] else {
      Issue.record("there are no items")
      return
    }
    let shown = items.map { item -> String in
      guard case .fields(let fields) = item else { return "" }
      return
        "\(fields["item_id"] ?? "") \(fields["quantity"] ?? "") \(fields["discount"] ?? "none")"
    }
    #expect(shown == ["coffee 3 none", "filters 1 none"])
    // One of two refunds, by its identity.
    let second = try await desk.refund(order.id, goods: [BasketLine("mug")])
    #expect(try second.isPaid && second.lines == [BasketLine("mug")])
    #expect(try desk.books.refunds(of: order.id) == [refund, second])
  }

  @Test(.frozen(at: "2026-11-27T00:00:00-05:00"))
  func `a refund event contains the refund's share of the tax`() async throws {
    let desk = CheckoutDesk(shop: try Shop.example(), payments: PaymentLedger())
    let order = try await desk.checkout(
      CheckoutRequest(
        [BasketLine("coffee", 2)], payment: PaymentMethod(.card, token: "tok_1"),
        key: try IdempotencyKey("key-1")))
    #expect(try order.priced.taxes.map(\.rate) == [Percentage(thousandths: 8_875)])
    let money = try await desk.refund(order.id, Money("10.00 USD"))
    // 10.00 is 108.875 percent of 9.18; the tax of the rest is rounded up.
    #expect(
      Event.refund(order, money).properties
        == ["transaction_id": order.id, "tax": 0.81, "currency": "USD", "value": 10.0])
    let rest = try await desk.refund(order.id)
    #expect(try money.tax.adding(rest.tax) == order.priced.tax)

    let second = try await desk.checkout(
      CheckoutRequest([BasketLine("coffee", 2)], payment: PaymentMethod(.card, token: "tok_1")))
    let one = Event.refund(second, try await desk.refund(second.id, goods: [BasketLine("coffee")]))
    guard case .array(let items)? = one.properties["items"], case .fields(let item)? = items.first
    else {
      Issue.record("\(one)")
      return
    }
    #expect(items.count == 1 && item["item_id"] == "coffee" && item["quantity"] == 1)

    let third = try await desk.checkout(
      CheckoutRequest([BasketLine("coffee", 2)], payment: PaymentMethod(.card, token: "tok_1")))
    let whole = Event.refund(third, try await desk.refund(third.id)).properties
    #expect(whole["tax"] == .double(third.priced.tax.value))
    #expect(whole["items"] == Event.purchase(third).properties["items"])
  }
}
