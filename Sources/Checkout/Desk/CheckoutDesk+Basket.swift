// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// The changes of a purchase to its basket.
extension CheckoutDesk {
  /// Removes the bought lines and the used coupon; lines that the buyer added later stay.
  func takeOut(_ purchase: Purchase) async {
    let (lines, coupon) = (purchase.reservation.lines, purchase.priced.coupon)
    let basket = await updateBasket(purchase.basket) { basket in
      basket.subtract(lines)
      if basket.coupon == coupon { basket.use(coupon: nil) }
    }
    guard let basket else { return }
    log.debug("bought goods taken out of the basket", ["lines": basket.lines.count])
  }

  /// Restores the basket after a purchase that was not paid.
  func restoreBasket(of purchase: Purchase) async {
    let coupon = purchase.priced.coupon
    await restoreBasket(
      purchase.basket, returning: purchase.isOutOfBasket ? purchase.reservation.lines : [],
      removing: purchase.isRequest ? purchase.content.lines : [], replacing: coupon,
      by: purchase.isRequest ? purchase.earlierCoupon : coupon)
  }

  /// Restores the basket after a failure.
  ///
  /// - Parameters:
  ///   - bought: The goods that were removed from the basket because the outcome of the payment was
  ///     unknown; they return together with the coupon.
  ///   - added: The goods that a request had added.
  ///   - coupon: The coupon of the failed purchase.
  ///   - earlier: The coupon that the basket had before.
  func restoreBasket(
    _ id: UUID, returning bought: [BasketLine] = [], removing added: [BasketLine],
    replacing coupon: String?, by earlier: String?
  ) async {
    if bought.isEmpty, added.isEmpty, coupon == earlier { return }
    let basket = await updateBasket(id) { basket throws(CheckoutError) in
      for line in bought { try basket.add(line) }
      let isCouponOurs = basket.coupon == coupon || !bought.isEmpty && basket.coupon == nil
      basket.subtract(added)
      if isCouponOurs { basket.use(coupon: earlier) }
    }
    guard let basket else { return }
    for line in added {
      guard let product = shop.catalogue[line.sku] else { continue }
      analytics.track(.removeFromCart(product, quantity: line.quantity))
    }
    log.info("basket put back as it was", ["lines": basket.lines.count])
  }

  /// Updates the basket. Logs a failure instead of throwing it, so that the caller still gets the
  /// order or the error of the checkout.
  private func updateBasket(
    _ id: UUID, _ change: @Sendable (inout Basket) throws(CheckoutError) -> Void
  ) async -> Basket? {
    do throws(CheckoutError) { return try await basket.update(id, change) } catch {
      log.error("basket not up to date after the checkout", ["reason": error.code])
      return nil
    }
  }
}
