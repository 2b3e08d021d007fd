// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The standard events of an e-commerce shop, in the form of Google Analytics 4: currency, value,
/// items. They contain no data about the buyer.
///
/// From `begin_checkout` on, `value` is the amount that the buyer pays or gets back, including the
/// tax, and `tax` is the tax in it. Google's own `value` excludes tax and shipping. Therefore a
/// collector for Google needs a mapping that subtracts them, such as `EventMapping.googleShop` of
/// AmbientCollectors. Before a checkout begins, `value` is the list price, and `tax` is left out
/// because the tax is not known yet.
extension Event {
  /// A user looked at a product.
  ///
  /// - Parameter product: The product, whose SKU, name and price are tracked.
  public static func viewItem(_ product: Product) -> Event {
    Event("view_item", sale(product, 1))
  }

  /// A user put items of a product into a basket.
  ///
  /// - Parameters:
  ///   - product: The product, whose SKU, name and price are tracked.
  ///   - quantity: The number of items that were added.
  public static func addToCart(_ product: Product, quantity: Int) -> Event {
    Event("add_to_cart", sale(product, quantity))
  }

  /// A user took items of a product out of a basket.
  ///
  /// - Parameters:
  ///   - product: The product, whose SKU, name and price are tracked.
  ///   - quantity: The number of items that were removed.
  public static func removeFromCart(_ product: Product, quantity: Int) -> Event {
    Event("remove_from_cart", sale(product, quantity))
  }

  /// A user began to buy the basket.
  ///
  /// - Parameter basket: The basket with its prices at that moment.
  public static func beginCheckout(_ basket: PricedBasket) -> Event {
    Event("begin_checkout", sale(basket))
  }

  /// A user chose how to pay.
  ///
  /// - Parameters:
  ///   - basket: The basket with its prices at that moment.
  ///   - kind: The kind of payment; the payment method's token is not tracked.
  public static func addPaymentInfo(_ basket: PricedBasket, _ kind: PaymentMethod.Kind) -> Event {
    Event("add_payment_info", sale(basket).merging(["payment_type": kind.rawValue]))
  }

  /// A user bought the basket; `value` is the amount paid, including the tax.
  ///
  /// - Parameter order: The order that was placed and paid.
  public static func purchase(_ order: Order) -> Event {
    let transaction: AmbientFields = ["transaction_id": order.id]
    return Event("purchase", transaction.merging(sale(order.priced)))
  }

  /// An order was refunded, in part or as a whole; the event lists the returned items. `value` is
  /// the refunded amount, including its share of the tax.
  ///
  /// - Parameters:
  ///   - order: The refunded order.
  ///   - refund: The refund, with its amount and the returned goods.
  public static func refund(_ order: Order, _ refund: Refund) -> Event {
    let transaction: AmbientFields = ["transaction_id": order.id]
    let isWhole = refund.amount == order.total
    let items = order.priced.lines.compactMap { line -> AmbientFields? in
      if isWhole { return item(line) }
      let back = refund.lines.filter { $0.sku == line.sku }.reduce(0) { $0 + $1.quantity }
      return back > 0 ? item(line).merging(["quantity": back]) : nil
    }
    return Event("refund", transaction.merging(sale(refund.amount, tax: refund.tax, items)))
  }

  private static func sale(_ product: Product, _ quantity: Int) -> AmbientFields {
    [
      "currency": product.price.currency.code, "value": product.price.value(times: quantity),
      "items": [item(product, quantity: quantity)],
    ]
  }

  private static func sale(_ basket: PricedBasket) -> AmbientFields {
    let coupon: AmbientFields = ["coupon": basket.coupon]
    return sale(basket.total, tax: basket.tax, basket.lines.map(item)).merging(coupon)
  }

  private static func sale(
    _ value: Money, tax: Money, _ items: [AmbientFields]
  ) -> AmbientFields {
    var fields: AmbientFields = [
      "tax": tax.value, "currency": value.currency.code, "value": value.value,
    ]
    if !items.isEmpty { fields["items"] = items.ambientValue }
    return fields
  }

  private static func item(_ product: Product, quantity: Int) -> AmbientFields {
    [
      "item_id": product.sku, "item_name": product.name, "price": product.price.value,
      "quantity": quantity,
    ]
  }

  private static func item(_ line: PricedLine) -> AmbientFields {
    [
      "item_id": line.sku, "item_name": line.name,
      "price": line.unitNet.value, "quantity": line.quantity,
      "discount": line.promotion == nil ? nil : line.unitDiscount.value,
      "promotion_name": line.promotion,
    ]
  }
}
