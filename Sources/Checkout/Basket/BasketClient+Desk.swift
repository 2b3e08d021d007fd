internal import Ambient

extension BasketClient {
  /// Takes out what was bought, and the coupon that was used; what was added since stays.
  func settle(_ bought: [BasketLine], coupon: String?) async throws(CheckoutError) {
    let basket = try change { basket throws(CheckoutError) in
      basket.subtract(bought)
      if let coupon, basket.coupon == coupon { basket.use(coupon: nil) }
    }
    log.debug("bought goods taken out of the basket", ["lines": basket.lines.count])
    await offer(basket)
  }

  /// Takes out what a checkout that failed has added, and puts the coupon from before back.
  func takeBack(
    _ added: [BasketLine], replacing coupon: String?, with before: String?
  ) async throws(CheckoutError) {
    let basket = try change { basket throws(CheckoutError) in
      basket.subtract(added)
      if basket.coupon == coupon, coupon != before { basket.use(coupon: before) }
    }
    for line in added {
      guard let product = try? prices.catalogue.product(line.sku) else { continue }
      analytics.track(.removeFromCart(product, quantity: line.quantity))
    }
    log.info("basket put back as it was", ["lines": basket.lines.count])
    await offer(basket)
  }
}
