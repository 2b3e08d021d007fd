public import Ambient

/// A buyer's basket: kept in a store on this machine and by a service elsewhere, and priced.
///
/// Every change is made in the store first, wholly or not at all, and then offered to the service.
/// A service that cannot be reached is logged and offered the basket at the next change: the buyer
/// goes on. Of two copies the one with the higher revision counts.
public actor BasketClient: RequiresLog, RequiresAnalytics {
  let store: any BasketStore
  let service: any BasketService
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
    if let remote, remote.revision >= local.revision {
      try adopt(remote)
    } else if remote != nil || !local.isEmpty {
      await offer(local)  // one that was emptied too, so that nobody buys the older one again
    }
    return try load()
  }

  /// Adds that many of a product.
  ///
  /// - Throws: ``CheckoutError``: an unknown product, a wrong quantity, two currencies, or a store
  ///   that cannot be written; the stored basket is as it was.
  @discardableResult
  public func add(_ sku: SKU, _ quantity: Int = 1) async throws(CheckoutError) -> Basket {
    try await add([try BasketLine(sku, quantity)])
  }

  /// Adds all of the lines, and the coupon if there is one, or nothing.
  ///
  /// - Throws: ``CheckoutError``: the first that is wrong with a line or the coupon, or a store
  ///   that cannot be written; the stored basket is as it was.
  @discardableResult
  public func add(
    _ lines: [BasketLine], coupon code: String? = nil
  ) async throws(CheckoutError) -> Basket {
    if lines.isEmpty, code == nil { return try load() }
    var products: [Product] = []
    let basket = try change { basket throws(CheckoutError) in
      for line in lines {
        let product = try self.prices.catalogue.product(line.sku)
        try self.checkCurrency(of: product, in: basket)
        try basket.add(line)
        products.append(product)
      }
      if let code { try self.use(code, in: &basket) }
    }
    for (line, product) in zip(lines, products) {
      log.info("added to basket", ["sku": line.sku, "quantity": line.quantity])
      analytics.track(.addToCart(product, quantity: line.quantity))
    }
    if code != nil { log.info("coupon applied", ["coupon": basket.coupon]) }
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
    let basket = try change { basket throws(CheckoutError) in
      if let code { try self.use(code, in: &basket) } else { basket.use(coupon: nil) }
    }
    log.info(code == nil ? "coupon removed" : "coupon applied", ["coupon": basket.coupon])
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
}
