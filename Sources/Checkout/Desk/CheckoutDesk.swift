// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// A desk for one buyer: shows products, takes the payment, places the order, and pays refunds.
///
/// ```swift
/// let desk = CheckoutDesk(shop: try Shop.example(), payments: PaymentLedger())
/// try await desk.basket.add("coffee", 2)
/// let checkout = try await desk.begin()
/// let order = try await desk.pay(checkout, with: PaymentMethod(.card, token: token))
/// ```
///
/// Every decision that depends on time uses `Time`. Every step is logged and tracked, without any
/// data of the buyer. Safe to use from any thread.
public final class CheckoutDesk: Sendable, RequiresLog, RequiresAnalytics {
  /// The shop.
  public let shop: Shop
  /// The basket of the buyer.
  public let basket: BasketClient
  /// The stock, the orders and the purchases under way.
  public let books: ShopStore
  let payments: any PaymentService
  private let turns = Turns()

  /// Creates a desk of a shop with a basket, books and a payment service.
  ///
  /// - Parameters:
  ///   - shop: The shop; its terms and hours apply.
  ///   - basket: The basket of the buyer at this desk.
  ///   - books: The stock, orders and refunds, which all desks of the shop share.
  ///   - payments: The service that charges buyers and pays refunds.
  public init(
    shop: Shop, basket: BasketClient, books: ShopStore, payments: any PaymentService
  ) {
    self.shop = shop
    self.basket = basket
    self.books = books
    self.payments = payments
  }

  /// Creates a desk of a shop with books in memory and, by default, a basket in memory.
  ///
  /// The payment service has no default, because it usually belongs to another company.
  ///
  /// - Parameters:
  ///   - shop: The shop; the books begin with its stock.
  ///   - store: The store of the basket on this machine.
  ///   - service: The service that gets each change of the basket.
  ///   - payments: The service that charges buyers and pays refunds.
  public convenience init(
    shop: Shop, store: any BasketStore = MemoryBasketStore(),
    service: any BasketService = MemoryBasketService(),
    payments: any PaymentService
  ) {
    self.init(
      shop: shop, basket: BasketClient(store: store, service: service, prices: shop.prices),
      books: ShopStore(shop), payments: payments)
  }

  /// Shows a product.
  ///
  /// - Parameter sku: The product to show; the view is tracked.
  /// - Returns: The product in the catalogue.
  /// - Throws: ``CheckoutError/unknownSKU(_:nearest:)``.
  public func view(_ sku: SKU) throws(CheckoutError) -> Product {
    let product = try shop.catalogue.product(sku)
    log.info("product viewed", ["sku": sku])
    analytics.track(.viewItem(product))
    return product
  }

  /// Begins to buy the basket: checks that the goods may be sold, locks the price, and reserves the
  /// goods.
  ///
  /// The price stays locked and the goods stay reserved for the durations in the shop's terms. If
  /// the terms state no such duration, the length of the session applies. ``OpenCheckout/check()``
  /// throws once the lock or the reservation has lapsed.
  ///
  /// - Parameters:
  ///   - born: The buyer's date of birth, if the basket contains goods with an age limit.
  ///   - length: The length of the session, 30 minutes to 24 hours; nil for the length in the
  ///     shop's terms.
  ///   - key: The key of the order; an order is placed once for each key.
  /// - Throws: ``CheckoutError``, most often for goods that may not be sold or are not in stock.
  public func begin(
    born: LocalDate? = nil, lasting length: Duration? = nil,
    key: IdempotencyKey = IdempotencyKey()
  ) async throws(CheckoutError) -> OpenCheckout {
    try await logged("checkout not begun") { () throws(CheckoutError) in
      try begin(try await basket.basket(), born: born, lasting: length, key: key)
    }
  }

  /// Pays for a checkout and places the order, once for each checkout.
  ///
  /// A repeated call returns the order that was placed. If the order of that key has other goods,
  /// another coupon or another total than the checkout, the call throws
  /// ``CheckoutError/keyReused(_:)``. If the payment is declined, the goods stay reserved. If the
  /// outcome of the payment is unknown, the goods and the price stay as agreed. A repeated call
  /// then first asks the payment service for the outcome.
  ///
  /// - Parameters:
  ///   - checkout: The checkout, with the goods and the price that were agreed.
  ///   - method: The buyer's means of payment.
  ///   - key: The key of the order; nil for the key of the checkout.
  /// - Throws: ``CheckoutError``: a lapsed checkout, goods that may no longer be sold at this hour,
  ///   a key of another order, the payment's error, or ``CheckoutError/paymentPending(_:)``.
  public func pay(
    _ checkout: OpenCheckout, with method: PaymentMethod, key: IdempotencyKey? = nil
  ) async throws(CheckoutError) -> Order {
    let key = key ?? checkout.key
    return try await logged("order not placed") { () throws(CheckoutError) in
      let order = try await books.inTurn(
        key, for: checkout.content, seen: checkout.quote.priced.total
      ) { pending async throws(CheckoutError) in
        if let pending { return try await resume(pending, method) }
        try checkout.check()
        // The hours of sale may have ended after the checkout began.
        try checkHours(of: try shop.catalogue.products(of: checkout.reservation.lines))
        return try await charge(try agree(checkout, method, key), method)
      }
      // If an earlier checkout with this key placed the order, the goods of this checkout are still
      // reserved.
      books.release(checkout.reservation)
      return order
    }
  }

  /// Runs a whole checkout: views the products, fills the basket, begins the checkout, pays, and
  /// places the order.
  ///
  /// A repeated call with the same `key` returns the order of the first call. If the key comes with
  /// other lines, another coupon, or a `total` that is not that order's total, the call throws
  /// ``CheckoutError/keyReused(_:)``. If a step fails, the request's lines are removed from the
  /// basket, so that a second try does not buy twice as much. The goods are released unless their
  /// payment is pending. Checkouts at one desk run one after another, because each buys the whole
  /// basket.
  ///
  /// - Parameter request: All of the buyer's input. Calls with equal keys repeat one request.
  /// - Returns: The order, which is recorded in the books.
  /// - Throws: ``CheckoutError``; the stored basket then has its earlier contents, except that the
  ///   goods of a pending payment are out of it.
  public func checkout(_ request: CheckoutRequest) async throws(CheckoutError) -> Order {
    try await logged("order not placed") { () throws(CheckoutError) in
      try await books.inTurn(
        request.key, for: request.content, seen: request.total
      ) { pending async throws(CheckoutError) in
        if let pending { return try await resume(pending, request.payment) }
        return try await turns.take("basket") { () async throws(CheckoutError) in
          try await buy(request)
        }
      }
    }
  }

  /// Adds the lines and the coupon of a request to the basket, and buys the basket.
  private func buy(_ request: CheckoutRequest) async throws(CheckoutError) -> Order {
    let products = try request.lines.map { line throws(CheckoutError) in try view(line.sku) }
    let (basket, earlierCoupon) = try await self.basket.fill(
      request.lines, products, coupon: request.coupon)
    var reservation: Reservation?
    defer { if let reservation { books.release(reservation) } }
    let purchase: Purchase
    do throws(CheckoutError) {
      let checkout = try begin(
        basket, born: request.born, seen: request.total, key: request.key)
      reservation = checkout.reservation
      purchase = try agree(
        checkout, request.payment, request.key, of: request, earlierCoupon: earlierCoupon)
    } catch {
      await restoreBasket(
        basket.id, removing: request.lines, replacing: basket.coupon, by: earlierCoupon)
      throw error
    }
    return try await charge(purchase, request.payment)
  }

  /// Logs the failure of a step, with only the code of the error, because its description may
  /// contain the user's input.
  func logged<R>(
    _ message: LogMessage, _ step: () async throws(CheckoutError) -> R
  ) async throws(CheckoutError) -> R {
    do throws(CheckoutError) { return try await step() } catch {
      log.warning(message, ["reason": error.code])
      throw error
    }
  }
}
