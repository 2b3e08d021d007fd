internal import Ambient
internal import Foundation

extension BasketClient {
  func load() throws(CheckoutError) -> Basket {
    do throws(BasketStoreError) {
      return try store.load() ?? Basket()
    } catch {
      throw .store(error)
    }
  }

  /// Changes a copy and saves it if all went well; nothing comes between, as nothing waits.
  func change(
    _ body: (inout Basket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> Basket {
    do throws(CheckoutError) {
      let before = try load()
      var basket = before
      try body(&basket)
      if basket != before { try save(basket) }
      return basket
    } catch {
      log.warning("basket not changed", ["reason": error.code])
      throw error
    }
  }

  func save(_ basket: Basket) throws(CheckoutError) {
    do throws(BasketStoreError) { try store.save(basket) } catch { throw .store(error) }
  }

  /// Puts a coupon in that is valid now, and fits what is in the basket.
  func use(_ code: String, in basket: inout Basket) throws(CheckoutError) {
    basket.use(coupon: try prices.coupon(code).code)
    if !basket.isEmpty { _ = try prices.price(basket) }
  }

  func checkCurrency(of product: Product, in basket: Basket) throws(CheckoutError) {
    guard let first = basket.lines.first else { return }
    let currency = try prices.catalogue.product(first.sku).price.currency
    guard product.price.currency == currency else {
      throw .mixedCurrencies(product.sku, product.price.currency, basket: currency)
    }
  }

  /// Offers the basket to the service, which may be out of reach.
  func offer(_ basket: Basket) async {
    do throws(BasketServiceError) {
      let kept = try await service.push(basket)
      if kept != basket { log.notice("another device has a newer basket") }
    } catch {
      log.warning("basket service not written", ["reason": error.code])
    }
  }

  /// Saves the other copy if it is the newer one.
  func adopt(_ remote: Basket) throws(CheckoutError) {
    let local = try load()
    guard remote.id == local.id, remote.revision > local.revision else { return }
    try save(remote)
    log.info("basket of another device taken over", ["lines": remote.lines.count])
  }
}

extension BasketClient {
  /// Takes out what was bought, and the coupon that was used; what was added since stays.
  func settle(
    _ bought: [BasketLine], coupon: String?, in id: UUID
  ) async throws(CheckoutError) {
    // A purchase that was settled after a restart may be that of another buyer.
    guard try load().id == id else { return }
    let basket = try change { basket throws(CheckoutError) in
      basket.subtract(bought)
      if let coupon, basket.coupon == coupon { basket.use(coupon: nil) }
    }
    log.debug("bought goods taken out of the basket", ["lines": basket.lines.count])
    await offer(basket)
  }

  /// Puts goods back that were taken out for a purchase, and its coupon.
  func putBack(
    _ lines: [BasketLine], coupon: String?, in id: UUID
  ) async throws(CheckoutError) {
    guard try load().id == id else { return }
    let basket = try change { basket throws(CheckoutError) in
      for line in lines { try basket.add(line) }
      if let coupon, basket.coupon == nil { basket.use(coupon: coupon) }
    }
    log.info("goods that were not paid put back", ["lines": basket.lines.count])
    await offer(basket)
  }

  /// Takes out what a checkout that failed has added, and puts the coupon from before back.
  func takeBack(
    _ added: [BasketLine], replacing coupon: String?, with before: String?, in id: UUID
  ) async throws(CheckoutError) {
    guard try load().id == id else { return }
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
