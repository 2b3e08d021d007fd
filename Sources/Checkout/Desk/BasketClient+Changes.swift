internal import Ambient
internal import Foundation

extension BasketClient {
  func load() throws(CheckoutError) -> Basket { try stored().basket }

  func stored() throws(CheckoutError) -> StoredBasket {
    do throws(BasketStoreError) {
      return try store.read() ?? StoredBasket(Basket())
    } catch {
      throw .store(error)
    }
  }

  /// Changes the stored basket; `body` is called again if another thread or process changed the
  /// basket meanwhile.
  func change(
    _ body: (inout Basket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> Basket {
    do throws(CheckoutError) { return try store.change(body) } catch {
      log.warning("basket not changed", ["reason": error.code])
      throw error
    }
  }

  /// Adds a coupon to `basket`. Throws an error if the coupon is not valid now, or if `basket` has
  /// lines and cannot be priced with the coupon.
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
}

extension BasketClient {
  /// Offers a changed basket to the service, and returns the resulting basket. If the store fails,
  /// logs the failure and returns `basket`.
  @discardableResult
  func offered(_ basket: Basket) async -> Basket {
    do throws(CheckoutError) { return try await offer() } catch {
      log.warning("basket service's answer not kept", ["reason": error.code])
      return basket
    }
  }

  /// Offers the changes to the service, and returns the resulting basket.
  ///
  /// If another device has changed the service's basket, that basket is merged in and the result is
  /// offered again. After three offers, remaining changes wait for the next call, so that a service
  /// whose basket keeps changing does not block the buyer.
  func offer() async throws(CheckoutError) -> Basket {
    for _ in 0..<3 {
      var next: (basket: Basket, replacing: Int?)?
      let before = try store.update { stored throws(CheckoutError) in next = stored.nextOffer() }
      guard let next else { break }
      let kept: Basket?
      do throws(BasketServiceError) {
        kept = try await service.push(next.basket, replacing: next.replacing)
        if let kept { try check(kept, beside: before) }
      } catch {
        tell(error, "basket service not written")
        break
      }
      try hear(kept, since: before)
    }
    return try load()
  }

  /// Checks the service's answer, which is untrusted. The answer must have the id of the stored
  /// basket, and a revision that exceeds the stored revision by at most `mostChanges`. All products
  /// in the answer that this shop has must have the same currency. A product or a coupon that this
  /// shop does not have is accepted only if `stored` already holds it.
  func check(_ remote: Basket, beside stored: StoredBasket) throws(BasketServiceError) {
    guard remote.id == stored.basket.id else {
      throw .badAnswer(field: "id", reason: "is that of another basket")
    }
    let revision = stored.basket.revision
    guard remote.revision - revision <= Self.mostChanges else {
      throw .badAnswer(
        field: "revision",
        reason: "is \(remote.revision), which is too far from \(revision), the revision here")
    }
    var currencies: Set<Currency> = []
    for (place, line) in remote.lines.enumerated() {
      if let product = prices.catalogue[line.sku] {
        currencies.insert(product.price.currency)
      } else if !stored.holds(line.sku) {
        throw .badAnswer(field: "lines[\(place)].sku", reason: "is no product of this shop")
      }
    }
    guard currencies.count <= 1 else {
      throw .badAnswer(field: "lines", reason: "are products of several currencies")
    }
    if let coupon = remote.coupon, !prices.knows(coupon: coupon), !stored.holds(coupon: coupon) {
      throw .badAnswer(field: "coupon", reason: "is no coupon of this shop")
    }
  }

  /// The maximum by which the revision in an answer may exceed the stored revision. A buyer's
  /// devices never make that many changes; a larger difference could exhaust the range of
  /// revisions.
  private static var mostChanges: Int { 1_000_000 }

  func tell(_ error: BasketServiceError, _ message: LogMessage) {
    log.warning(message, ["reason": error.code, "field": error.field])
  }
}

extension BasketClient {
  /// Removes the bought lines and the used coupon; lines that the buyer added later stay.
  func settle(
    _ bought: [BasketLine], coupon: String?, in id: UUID
  ) async throws(CheckoutError) {
    // After a restart, this desk may settle a purchase that was made from another buyer's basket.
    // The stored basket then stays unchanged.
    guard try load().id == id else { return }
    let basket = try change { basket throws(CheckoutError) in
      basket.subtract(bought)
      if let coupon, basket.coupon == coupon { basket.use(coupon: nil) }
    }
    log.debug("bought goods taken out of the basket", ["lines": basket.lines.count])
    await offered(basket)
  }

  /// Puts the goods and the coupon of a purchase back into the basket.
  func putBack(
    _ lines: [BasketLine], coupon: String?, in id: UUID
  ) async throws(CheckoutError) {
    guard try load().id == id else { return }
    let basket = try change { basket throws(CheckoutError) in
      for line in lines { try basket.add(line) }
      if let coupon, basket.coupon == nil { basket.use(coupon: coupon) }
    }
    log.info("goods that were not paid put back", ["lines": basket.lines.count])
    await offered(basket)
  }

  /// Removes the lines that a failed checkout added, and restores the earlier coupon.
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
    await offered(basket)
  }
}
