public import Ambient

/// A buyer's basket: kept in a store on this machine and by a service elsewhere, and priced.
///
/// Every change is made in the store first, wholly or not at all, and then offered to the service.
/// A service that cannot be reached is logged and offered the basket at the next change: the buyer
/// goes on. Of two copies the one with the higher revision counts.
public actor BasketClient: RequiresLog, RequiresAnalytics {
  private let store: any BasketStore
  private let service: any BasketService
  /// What things cost.
  public nonisolated let prices: PriceList

  /// The client of a store and a service.
  public init(store: any BasketStore, service: any BasketService, prices: PriceList) {
    self.store = store
    self.service = service
    self.prices = prices
  }

  /// The basket in the store, or an empty one.
  public func basket() throws(CheckoutError) -> Basket { try load() }

  /// Takes over what another device has done to the basket, and returns it.
  @discardableResult
  public func synchronize() async throws(CheckoutError) -> Basket {
    let local = try load()
    let remote: Basket?
    do throws(BasketServiceError) { remote = try await service.fetch(local.id) } catch {
      log.warning("basket service not read", ["reason": error.code])
      return try load()
    }
    if let remote { try adopt(remote) } else { await offer(local) }
    return try load()
  }

  /// Adds that many of a product.
  ///
  /// - Throws: ``CheckoutError``: an unknown product, a wrong quantity, two currencies, or a store
  ///   that cannot be written; the stored basket is as it was.
  @discardableResult
  public func add(_ sku: SKU, _ quantity: Int = 1) async throws(CheckoutError) -> Basket {
    let product = try prices.catalogue.product(sku)
    let line = try BasketLine(sku, quantity)
    let basket = try change { basket throws(CheckoutError) in
      try self.checkCurrency(of: product, in: basket)
      try basket.add(line)
    }
    log.info("added to basket", ["sku": sku, "quantity": quantity])
    analytics.track(.addToCart(product, quantity: quantity))
    await offer(basket)
    return basket
  }

  /// Removes a product, if it is there.
  @discardableResult
  public func remove(_ sku: SKU) async throws(CheckoutError) -> Basket {
    var removed: BasketLine?
    let basket = try change { basket throws(CheckoutError) in removed = basket.remove(sku) }
    if let removed {
      log.info("removed from basket", ["sku": sku, "quantity": removed.quantity])
      if let product = try? prices.catalogue.product(sku) {
        analytics.track(.removeFromCart(product, quantity: removed.quantity))
      }
      await offer(basket)
    }
    return basket
  }

  /// Puts a coupon in that is valid now and fits the basket, or takes it out with nil.
  @discardableResult
  public func use(coupon code: String?) async throws(CheckoutError) -> Basket {
    let coupon: Coupon? = if let code { try prices.coupon(code) } else { nil }
    let basket = try change { basket throws(CheckoutError) in
      basket.use(coupon: coupon?.code)
      if coupon != nil, !basket.isEmpty { _ = try self.prices.price(basket) }
    }
    log.info(coupon == nil ? "coupon removed" : "coupon applied", ["coupon": coupon?.code])
    await offer(basket)
    return basket
  }

  /// Takes everything out.
  @discardableResult
  public func clear() async throws(CheckoutError) -> Basket {
    let basket = try change { basket throws(CheckoutError) in basket.clear() }
    log.debug("basket cleared")
    await offer(basket)
    return basket
  }

  /// What the basket costs now, after promotions, coupon and tax.
  public func price() throws(CheckoutError) -> PricedBasket { try prices.price(try load()) }

  private func load() throws(CheckoutError) -> Basket {
    do throws(BasketStoreError) {
      return try store.load() ?? Basket()
    } catch {
      throw .store(error)
    }
  }

  /// Changes a copy and saves it if all went well; nothing comes between, as nothing waits.
  private func change(
    _ body: (inout Basket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> Basket {
    let before = try load()
    var basket = before
    try body(&basket)
    if basket != before { try save(basket) }
    return basket
  }

  private func save(_ basket: Basket) throws(CheckoutError) {
    do throws(BasketStoreError) { try store.save(basket) } catch { throw .store(error) }
  }

  private func checkCurrency(of product: Product, in basket: Basket) throws(CheckoutError) {
    guard let first = basket.lines.first else { return }
    let currency = try prices.catalogue.product(first.sku).price.currency
    guard product.price.currency == currency else {
      throw .mixedCurrencies(product.sku, product.price.currency, basket: currency)
    }
  }

  private func offer(_ basket: Basket) async {
    do throws(BasketServiceError) {
      _ = try await service.push(basket)
    } catch {
      log.warning("basket service not written", ["reason": error.code])
    }
  }

  /// Saves the other copy if it is the newer one.
  private func adopt(_ remote: Basket) throws(CheckoutError) {
    let local = try load()
    guard remote.id == local.id, remote.revision > local.revision else { return }
    try save(remote)
    log.info("basket of another device taken over", ["lines": remote.lines.count])
  }
}
