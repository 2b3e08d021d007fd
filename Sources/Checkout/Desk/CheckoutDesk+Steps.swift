internal import Ambient
internal import Foundation

extension CheckoutDesk {
  func checkSale(of sku: SKU, born: LocalDate?) throws(CheckoutError) {
    let product = try shop.catalogue.product(sku)
    if let hours = product.saleHours, !hours.contains(time.now, in: shop.zone) {
      throw .outsideSaleHours(sku, hours)
    }
    if let limit = product.minimumAge {
      guard let born else { throw .unknownAge(sku, years: limit.years) }
      guard limit.admits(born: born, in: shop.zone) else {
        throw .underAge(sku, years: limit.years)
      }
    }
  }

  func check(born: LocalDate?) throws(CheckoutError) {
    if let born, born > shop.zone.date(of: time.now) { throw .notYetBorn(born) }
  }

  /// Takes the goods before the money, so that nobody pays for what is gone.
  func place(
    _ checkout: OpenCheckout, _ method: PaymentMethod, _ key: IdempotencyKey
  ) async throws(CheckoutError) -> Order {
    try checkout.check()
    let priced = checkout.quote.priced
    log.info("payment chosen", ["kind": method.kind.rawValue])
    analytics.track(.addPaymentInfo(priced, method.kind))
    try stock.take(checkout.reservation)
    let payment: String
    do throws(PaymentError) {
      payment = try await payments.charge(priced.total, to: method, reference: "\(key)")
    } catch {
      stock.putBack(checkout.reservation)
      throw .payment(error)
    }
    let now = time.now
    let order = Order(
      id: Identifier.next(), placedAt: now, priced: priced, payment: payment,
      delivery: shop.delivery?.datesInCalendar(of: now))
    log.info("order placed", ["order": order.id, "total": "\(order.total)"])
    analytics.track(.purchase(order))
    await updateBasket { () async throws(CheckoutError) in
      try await self.basket.settle(checkout.reservation.lines, coupon: priced.coupon)
    }
    return order
  }

  /// An order stands, and a failure is told, even if the basket cannot be written after it.
  func updateBasket(_ update: () async throws(CheckoutError) -> Void) async {
    do throws(CheckoutError) { try await update() } catch {
      log.error("basket not up to date after the checkout", ["reason": error.code])
    }
  }

  /// Logs why a step failed, by the name of the error alone.
  func logged<R>(
    _ message: LogMessage, _ step: () async throws(CheckoutError) -> R
  ) async throws(CheckoutError) -> R {
    do throws(CheckoutError) { return try await step() } catch {
      log.warning(message, ["reason": error.code])
      throw error
    }
  }
}
