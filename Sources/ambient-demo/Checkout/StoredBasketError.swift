import Checkout

/// Something in the stored basket that the shop does not take.
struct StoredBasketError: Error, Hashable, Sendable, CustomStringConvertible {
  let path: String
  let error: CheckoutError

  /// Wraps the error if it is about a product or the coupon of the basket.
  init?(_ error: CheckoutError, in basket: Basket, at path: String) {
    let isOfBasket =
      switch error {
      case .unknownSKU(let sku, _), .insufficientStock(let sku, _, _),
        .outsideSaleHours(let sku, _),
        .underAge(let sku, _), .unknownAge(let sku, _):
        basket.lines.contains { $0.sku == sku }
      case .mixedCurrencies: !basket.isEmpty
      case .unknownCoupon(let code, _), .lapsedCoupon(let code, _), .earlyCoupon(let code, _),
        .couponCurrency(let code, _, _), .couponMinimum(let code, _):
        basket.coupon == code.uppercased()
      default: false
      }
    guard isOfBasket else { return nil }
    self.path = path
    self.error = error
  }

  var description: String {
    """
    \(error); what is in \(path) counts too: take it out with the basket command, by --remove SKU \
    or --no-coupon
    """
  }
}
