// SPDX-License-Identifier: Apache-2.0

public import Ambient
internal import Foundation

/// A buyer's basket and its price. The basket is in a store on this machine; a service has a copy.
///
/// Every change is first made in the store, wholly or not at all, and then sent to the service. If
/// the service fails, the change stays in the store. The client logs the failure, ``serviceError``
/// has it, and the next change sends all that the service lacks.
public actor BasketClient: RequiresLog, RequiresAnalytics {
  /// The longest wait for the service after a change.
  public static let patience = Duration.seconds(10)

  private let store: any BasketStore
  private let service: any BasketService
  private let turns = Turns()
  /// The prices of the shop.
  public nonisolated let prices: PriceList
  /// The reason why the service lacks a change; nil if, as far as this client knows, its copy has
  /// the last change.
  public private(set) var serviceError: BasketServiceError?

  /// Creates a client of a store and a service.
  ///
  /// - Parameters:
  ///   - store: The store of this machine, which every change reaches first.
  ///   - service: The service that gets each change.
  ///   - prices: The prices of the shop, which decide which products and coupons are valid.
  public init(store: any BasketStore, service: any BasketService, prices: PriceList) {
    self.store = store
    self.service = service
    self.prices = prices
  }

  /// The basket in the store, or an empty one.
  public func basket() throws(CheckoutError) -> Basket { try store.stored() ?? Basket() }

  /// The price of the basket now, after promotions, coupon and tax.
  public func price() throws(CheckoutError) -> PricedBasket { try prices.price(try basket()) }

  /// Adds items of a product.
  ///
  /// - Parameters:
  ///   - sku: The product, which the shop must have.
  ///   - quantity: The number of items to add, at least 1.
  /// - Returns: The basket after the change.
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
  /// - Returns: The basket after the change.
  /// - Throws: ``CheckoutError``: the first fault of a line or the coupon, or a store that cannot
  ///   be written; the stored basket is then unchanged.
  @discardableResult
  public func add(
    _ lines: [BasketLine], coupon code: String? = nil
  ) async throws(CheckoutError) -> Basket {
    try await fill(lines, try prices.catalogue.products(of: lines), coupon: code).basket
  }

  /// Adds all of the lines and sets the coupon, like `add(_:coupon:)`.
  ///
  /// - Parameter products: The products of the lines.
  /// - Returns: The basket after the change, and the coupon that it had before.
  func fill(
    _ lines: [BasketLine], _ products: [Product], coupon code: String?
  ) async throws(CheckoutError) -> (basket: Basket, earlierCoupon: String?) {
    if lines.isEmpty, code == nil {
      let basket = try basket()
      return (basket, basket.coupon)
    }
    var earlierCoupon: String?
    let basket = try change { basket throws(CheckoutError) in
      earlierCoupon = basket.coupon
      for (line, product) in zip(lines, products) {
        try checkCurrency(of: product, in: basket)
        try basket.add(line)
      }
      if let code { try use(code, in: &basket) }
    }
    for (line, product) in zip(lines, products) {
      log.info("added to basket", ["sku": line.sku, "quantity": line.quantity])
      analytics.track(.addToCart(product, quantity: line.quantity))
    }
    if code != nil { log.info("coupon applied", ["coupon": basket.coupon]) }
    await send(basket)
    return (basket, earlierCoupon)
  }

  /// Removes a product, if the basket contains it.
  ///
  /// - Parameter sku: The product; all its items are removed.
  /// - Returns: The basket after the change.
  /// - Throws: ``CheckoutError/store(_:)`` if the store cannot be read or written.
  @discardableResult
  public func remove(_ sku: SKU) async throws(CheckoutError) -> Basket {
    var removed: BasketLine?
    let basket = try change { basket throws(CheckoutError) in removed = basket.remove(sku) }
    guard let removed else { return basket }
    log.info("removed from basket", ["sku": sku, "quantity": removed.quantity])
    if let product = prices.catalogue[sku] {
      analytics.track(.removeFromCart(product, quantity: removed.quantity))
    }
    await send(basket)
    return basket
  }

  /// Sets a coupon that is valid now and fits the basket; nil removes the coupon.
  ///
  /// - Parameter code: The code of a coupon, in any case; nil for none.
  /// - Returns: The basket after the change.
  /// - Throws: ``CheckoutError``: a coupon that is unknown, not valid now or does not fit, or a
  ///   store that cannot be written; the stored basket is then unchanged.
  @discardableResult
  public func use(coupon code: String?) async throws(CheckoutError) -> Basket {
    let basket = try change { basket throws(CheckoutError) in
      if let code { try use(code, in: &basket) } else { basket.use(coupon: nil) }
    }
    log.info(code == nil ? "coupon removed" : "coupon applied", ["coupon": basket.coupon])
    await send(basket)
    return basket
  }

  /// Removes all lines and the coupon.
  @discardableResult
  public func clear() async throws(CheckoutError) -> Basket {
    let basket = try change { basket throws(CheckoutError) in basket.clear() }
    log.debug("basket cleared")
    await send(basket)
    return basket
  }

  /// Changes the basket for a purchase.
  ///
  /// - Parameter id: The identity of the purchase's basket. After a restart, the store may have
  ///   another buyer's basket, which then stays unchanged.
  /// - Returns: The basket after the change; nil if the store has another buyer's basket.
  func update(
    _ id: UUID, _ body: @Sendable (inout Basket) throws(CheckoutError) -> Void
  ) async throws(CheckoutError) -> Basket? {
    let basket = try change { basket throws(CheckoutError) in
      if basket.id == id { try body(&basket) }
    }
    guard basket.id == id else { return nil }
    await send(basket)
    return basket
  }

  /// Changes the stored basket; `body` is called again if another thread or process changed the
  /// basket meanwhile.
  private func change(
    _ body: (inout Basket) throws(CheckoutError) -> Void
  ) throws(CheckoutError) -> Basket {
    do throws(CheckoutError) { return try store.change(body) } catch {
      log.warning("basket not changed", ["reason": error.code])
      throw error
    }
  }

  /// Sends the basket to the service, after the changes that were made before.
  private func send(_ basket: Basket) async {
    let (service, patience) = (service, Self.patience)
    await turns.take("service") {
      do throws(BasketServiceError) {
        try await FirstAnswer.wait(
          within: patience, for: "basket change", late: .late(limit: patience)
        ) { () async throws(BasketServiceError) in try await service.receive(basket) }
        serviceError = nil
      } catch {
        log.warning("basket service lacks a change", ["reason": error.code])
        serviceError = error
      }
    }
  }

  /// Adds a coupon to `basket`. Throws an error if the coupon is not valid now, or if `basket` has
  /// lines and cannot be priced with the coupon.
  private func use(_ code: String, in basket: inout Basket) throws(CheckoutError) {
    basket.use(coupon: try prices.coupon(code).code)
    if !basket.isEmpty { _ = try prices.price(basket) }
  }

  private func checkCurrency(of product: Product, in basket: Basket) throws(CheckoutError) {
    guard let first = basket.lines.first else { return }
    let currency = try prices.catalogue.product(first.sku).price.currency
    guard product.price.currency == currency else {
      throw .mixedCurrencies(product.sku, product.price.currency, basket: currency)
    }
  }
}
