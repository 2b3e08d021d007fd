internal import Ambient
internal import Foundation

extension CheckoutDesk {
  /// Checks that all of the goods may be sold now.
  func checkHours(of lines: [BasketLine]) throws(CheckoutError) {
    let now = time.now  // one instant for all of them
    for line in lines {
      guard let hours = try shop.catalogue.product(line.sku).saleHours else { continue }
      guard hours.contains(now, in: shop.zone) else { throw .outsideSaleHours(line.sku, hours) }
    }
  }

  func checkAge(_ born: LocalDate?, for lines: [BasketLine]) throws(CheckoutError) {
    for line in lines {
      guard let limit = try shop.catalogue.product(line.sku).minimumAge else { continue }
      guard let born else { throw .unknownAge(line.sku, years: limit.years) }
      guard limit.admits(born: born, in: shop.zone) else {
        throw .underAge(line.sku, years: limit.years)
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
    try checkHours(of: checkout.reservation.lines)  // the sale is now, and not when it was begun
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
