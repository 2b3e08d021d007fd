public import Ambient

/// Where a buyer buys: takes a basket from the first look to the order, and back to the refund.
///
/// ```swift
/// let desk = CheckoutDesk(shop: try Shop.example(), payments: PaymentLedger())
/// try await desk.basket.add("coffee", 2)
/// let checkout = try await desk.begin()
/// let order = try await desk.pay(checkout, with: PaymentMethod(.card, token: token))
/// ```
///
/// Every decision about time asks ``Time``; every step is logged and tracked, with nothing about
/// the buyer in either. Safe to use from any thread.
public final class CheckoutDesk: Sendable, RequiresLog, RequiresTime, RequiresAnalytics {
  /// The shop.
  public let shop: Shop
  /// The basket of the buyer.
  public let basket: BasketClient
  /// The goods.
  public let stock: StockRoom
  /// The orders.
  public let orders: OrderBook
  let payments: any PaymentService
  let turns = TurnQueue()

  /// The desk of a shop, made of these parts.
  ///
  /// A payment service is foreign, and has no default: without one, nothing is sold.
  public init(
    shop: Shop, basket: BasketClient, stock: StockRoom, orders: OrderBook = OrderBook(),
    payments: any PaymentService
  ) {
    self.shop = shop
    self.basket = basket
    self.stock = stock
    self.orders = orders
    self.payments = payments
  }

  /// The desk of a shop whose baskets are kept there, and whose stock is full.
  public convenience init(
    shop: Shop, store: any BasketStore = MemoryBasketStore(),
    service: any BasketService = MemoryBasketService(),
    payments: any PaymentService
  ) {
    self.init(
      shop: shop, basket: BasketClient(store: store, service: service, prices: shop.prices),
      stock: StockRoom(shop.stock), payments: payments)
  }

  /// Shows a product.
  ///
  /// - Throws: ``CheckoutError/unknownSKU(_:nearest:)``.
  public func view(_ sku: SKU) throws(CheckoutError) -> Product {
    let product = try shop.catalogue.product(sku)
    log.info("product viewed", ["sku": sku])
    analytics.track(.viewItem(product))
    return product
  }

  /// Begins to buy what is in the basket: checks what may be sold, locks the price, and keeps the
  /// goods.
  ///
  /// - Parameters:
  ///   - born: When the buyer was born, if the basket holds goods with an age limit.
  ///   - length: How long the session lasts, 30 minutes to 24 hours.
  /// - Throws: ``CheckoutError``, above all for what the basket or the stock does not have.
  public func begin(
    born: LocalDate? = nil, lasting length: Duration = .seconds(3_600)
  ) async throws(CheckoutError) -> OpenCheckout {
    try await logged("checkout not begun") { () throws(CheckoutError) in
      try check(born: born)
      let session = try CheckoutSession(lasting: length)
      let basket = try await self.basket.basket()
      let priced = try shop.prices.price(basket)
      try checkHours(of: basket.lines)
      try checkAge(born, for: basket.lines)
      let reservation = try stock.reserve(basket.lines)
      let checkout = OpenCheckout(
        session: session, quote: PriceQuote(priced), reservation: reservation)
      log.info("checkout begun", ["lines": priced.lines.count, "total": "\(priced.total)"])
      analytics.track(.beginCheckout(priced))
      return checkout
    }
  }

  /// Pays for a checkout and places the order, once for each key.
  ///
  /// Sent again with the key of an order that was placed, it returns that order. If the payment is
  /// declined, the goods are kept as long as they were.
  ///
  /// - Throws: ``CheckoutError``: what has lapsed, goods that may no longer be sold at this hour, a
  ///   key of another order, or the payment's error.
  public func pay(
    _ checkout: OpenCheckout, with method: PaymentMethod, key: IdempotencyKey = IdempotencyKey()
  ) async throws(CheckoutError) -> Order {
    try await logged("order not placed") { () throws(CheckoutError) in
      let order = try await orders.place(key, checkout.content) {
        () async throws(CheckoutError) in try await self.place(checkout, method, key)
      }
      stock.release(checkout.reservation)  // still held if another checkout placed the order
      return order
    }
  }

  /// Gives back an amount of an order, or all that is left of it; all of it also restocks the
  /// goods.
  ///
  /// - Throws: ``CheckoutError/refundTooLarge(_:left:)`` or the payment's error.
  public func refund(_ order: Order, _ amount: Money? = nil) async throws(CheckoutError) {
    try await logged("refund refused") { () throws(CheckoutError) in
      let goods = try order.goods()
      let amount = try await orders.noteRefund(amount, of: order)
      do throws(PaymentError) { try await payments.refund(amount, of: order.payment) } catch {
        await orders.forgetRefund(amount, of: order)
        throw .payment(error)
      }
      if await orders.confirmRefund(amount, of: order) { stock.restock(goods) }
      log.info("order refunded", ["order": order.id, "amount": "\(amount)"])
      analytics.track(.refund(order, amount))
    }
  }
}
