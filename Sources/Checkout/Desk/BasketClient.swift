public import Ambient

/// A buyer's basket and its price. The basket is in a store on this machine, and is synchronized
/// with a service.
///
/// Every change is first made in the store, wholly or not at all, and then offered to the service.
/// If the service cannot be reached, or its answer is not a valid basket of this shop, the failure
/// is logged and the change stays in the store. The next change offers the basket again. One change
/// makes at most three offers.
///
/// Changes by two devices are merged line by line: the items that each device added are added, and
/// the items that each device removed are subtracted. If both devices have changed the coupon, the
/// change that reached the service first wins. A change that a merge loses is logged, and added to
/// ``conflicts``.
public actor BasketClient: RequiresLog, RequiresAnalytics {
  let store: any BasketStore
  let service: any BasketService
  /// The prices of the shop.
  public nonisolated let prices: PriceList
  /// The last changes that were lost in merges with other devices, at most a hundred, oldest first.
  public private(set) var conflicts: [BasketConflict] = []

  /// Creates a client of a store and a service.
  ///
  /// - Parameters:
  ///   - store: The store of this machine, which every change reaches first.
  ///   - service: The service that all of the buyer's devices use.
  ///   - prices: The prices of the shop, which decide which products and coupons are valid.
  public init(store: any BasketStore, service: any BasketService, prices: PriceList) {
    self.store = store
    self.service = service
    self.prices = prices
  }

  /// The basket in the store, or an empty one.
  public func basket() throws(CheckoutError) -> Basket { try load() }

  /// Merges other devices' changes into the basket, offers this device's changes to the service,
  /// and returns the basket.
  @discardableResult
  public func synchronize() async throws(CheckoutError) -> Basket {
    let before = try stored()
    let remote: Basket?
    do throws(BasketServiceError) {
      remote = try await service.fetch(before.basket.id)
      if let remote { try check(remote, beside: before) }
    } catch {
      tell(error, "basket service not read")
      return try load()
    }
    try hear(remote, since: before)
    return try await offer()
  }

  /// Adds items of a product.
  ///
  /// - Parameters:
  ///   - sku: The product, which the shop must have.
  ///   - quantity: The number of items to add, at least 1.
  /// - Returns: The basket after the change, merged with other devices' changes if the service
  ///   could be reached.
  /// - Throws: ``CheckoutError``: an unknown product, a wrong quantity, two currencies, or a store
  ///   that cannot be written; the stored basket is then unchanged.
  @discardableResult
  public func add(_ sku: SKU, _ quantity: Int = 1) async throws(CheckoutError) -> Basket {
    try await add([try BasketLine(sku, quantity)])
  }

  /// Adds all of the lines and sets the coupon. If a line or the coupon is invalid, changes
  /// nothing.
  ///
  /// - Parameters:
  ///   - lines: The products and the numbers of items to add.
  ///   - code: The code of a coupon that is valid now and fits the basket; nil to keep the coupon.
  /// - Returns: The basket after the change, merged with other devices' changes if the service
  ///   could be reached.
  /// - Throws: ``CheckoutError``: the first fault of a line or the coupon, or a store that cannot
  ///   be written; the stored basket is then unchanged.
  @discardableResult
  public func add(
    _ lines: [BasketLine], coupon code: String? = nil
  ) async throws(CheckoutError) -> Basket {
    if lines.isEmpty, code == nil { return try load() }
    var products: [Product] = []
    let basket = try change { basket throws(CheckoutError) in
      products = []  // `change` may call this closure more than once
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
    return await offered(basket)
  }

  /// Removes a product, if the basket contains it.
  ///
  /// - Parameter sku: The product; all its items are removed.
  /// - Returns: The basket after the change, merged with other devices' changes if the service
  ///   could be reached.
  /// - Throws: ``CheckoutError/store(_:)`` if the store cannot be read or written.
  @discardableResult
  public func remove(_ sku: SKU) async throws(CheckoutError) -> Basket {
    var removed: BasketLine?
    let basket = try change { basket throws(CheckoutError) in removed = basket.remove(sku) }
    if let removed {
      log.info("removed from basket", ["sku": sku, "quantity": removed.quantity])
      if let product = try? prices.catalogue.product(sku) {
        analytics.track(.removeFromCart(product, quantity: removed.quantity))
      }
      return await offered(basket)
    }
    return basket
  }

  /// Sets a coupon that is valid now and fits the basket; nil removes the coupon.
  ///
  /// - Parameter code: The code of a coupon, in any case; nil for none.
  /// - Returns: The basket after the change, merged with other devices' changes if the service
  ///   could be reached.
  /// - Throws: ``CheckoutError``: a coupon that is unknown, not valid now or does not fit, or a
  ///   store that cannot be written; the stored basket is then unchanged.
  @discardableResult
  public func use(coupon code: String?) async throws(CheckoutError) -> Basket {
    let basket = try change { basket throws(CheckoutError) in
      if let code { try self.use(code, in: &basket) } else { basket.use(coupon: nil) }
    }
    log.info(code == nil ? "coupon removed" : "coupon applied", ["coupon": basket.coupon])
    return await offered(basket)
  }

  /// Removes all lines and the coupon.
  @discardableResult
  public func clear() async throws(CheckoutError) -> Basket {
    let basket = try change { basket throws(CheckoutError) in basket.clear() }
    log.debug("basket cleared")
    return await offered(basket)
  }

  /// The price of the basket now, after promotions, coupon and tax.
  public func price() throws(CheckoutError) -> PricedBasket { try prices.price(try load()) }

  /// Merges the service's basket into the stored basket, unless another answer of the service was
  /// merged after `before` was read.
  func hear(_ remote: Basket?, since before: StoredBasket) throws(CheckoutError) {
    var conflicts: [BasketConflict] = []
    var isMerged = false
    let stored = try store.update { stored throws(CheckoutError) in
      conflicts = []
      isMerged = false
      guard stored.hasHeardNothing(since: before) else { return }
      let revision = stored.basket.revision
      conflicts = stored.hear(remote)
      isMerged = stored.basket.revision != revision
    }
    if isMerged {
      log.info("basket merged with another device's", ["lines": stored.basket.lines.count])
    }
    for conflict in conflicts { log.notice("basket not merged wholly", ["reason": conflict.code]) }
    self.conflicts = (self.conflicts + conflicts).suffix(100)
  }
}
