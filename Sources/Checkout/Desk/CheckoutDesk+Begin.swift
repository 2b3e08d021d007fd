// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The steps from a basket to an open checkout.
extension CheckoutDesk {
  /// Begins to buy the basket.
  ///
  /// - Parameter total: The total that the buyer saw; nil if the buyer saw none.
  func begin(
    _ basket: Basket, born: LocalDate?, lasting length: Duration? = nil, seen total: Money? = nil,
    key: IdempotencyKey
  ) throws(CheckoutError) -> OpenCheckout {
    if let born, born > shop.zone.date(of: Time.now) { throw .notYetBorn(born) }
    let length = length ?? shop.terms.session
    let session = try CheckoutSession(lasting: length)
    let products = try shop.catalogue.products(of: basket.lines)
    let priced = try shop.prices.price(basket, products, at: Time.now)
    try checkHours(of: products)
    try checkAge(born, for: products)
    if let total, total != priced.total { throw .otherTotal(priced.total, seen: total) }
    let reservation = try books.reserve(basket.lines, for: shop.terms.reservation ?? length)
    log.info("checkout begun", ["lines": priced.lines.count, "total": "\(priced.total)"])
    analytics.track(.beginCheckout(priced))
    return OpenCheckout(
      session: session, quote: PriceQuote(priced, lasting: shop.terms.quote ?? length),
      reservation: reservation, key: key, basket: basket.id)
  }

  /// Checks that all of the goods may be sold now.
  func checkHours(of products: [Product]) throws(CheckoutError) {
    let now = Time.now  // one instant for all products
    for product in products {
      guard let hours = product.saleHours else { continue }
      guard hours.contains(now, in: shop.zone) else { throw .outsideSaleHours(product.sku, hours) }
    }
  }

  private func checkAge(_ born: LocalDate?, for products: [Product]) throws(CheckoutError) {
    for product in products {
      guard let limit = product.minimumAge else { continue }
      guard let born else { throw .unknownAge(product.sku, years: limit.years) }
      guard limit.admits(born: born, in: shop.zone) else {
        throw .underAge(product.sku, years: limit.years)
      }
    }
  }
}
