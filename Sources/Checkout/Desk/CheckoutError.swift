public import Foundation

/// Why something cannot be put in a basket, priced, reserved or bought.
///
/// Whatever is thrown, the stored basket is as it was before.
public enum CheckoutError: Error, Hashable, Sendable {
  /// A product that the shop does not have; the nearest that it has.
  case unknownSKU(SKU, nearest: SKU?)
  /// A quantity of nothing or less.
  case quantityNotPositive(SKU, Int)
  /// A quantity of more than ``BasketLine/limit``.
  case quantityTooLarge(SKU)
  /// A product whose currency is not that of the basket.
  case mixedCurrencies(SKU, Currency, basket: Currency)
  /// A basket with nothing in it.
  case emptyBasket
  /// A coupon that the shop does not have; the nearest that it has.
  case unknownCoupon(String, nearest: String?)
  /// A coupon whose last day is over.
  case lapsedCoupon(String, lastDay: LocalDate)
  /// A coupon whose first day is still to come.
  case earlyCoupon(String, firstDay: LocalDate)
  /// A coupon of another currency than the basket.
  case couponCurrency(String, Currency, basket: Currency)
  /// A coupon that wants a larger basket.
  case couponMinimum(String, Money)
  /// Less in stock than wanted.
  case insufficientStock(SKU, wanted: Int, available: Int)
  /// A product that may not be sold at this hour.
  case outsideSaleHours(SKU, OpeningHours)
  /// A product for older buyers.
  case underAge(SKU, years: Int)
  /// A product with an age limit, for a buyer who did not say when they were born.
  case unknownAge(SKU, years: Int)
  /// A birth that is still to come.
  case notYetBorn(LocalDate)
  /// A price that was locked until then.
  case lapsedQuote(until: Date)
  /// Stock that was reserved for that long.
  case lapsedReservation(after: Duration)
  /// A session that was open until then.
  case lapsedSession(until: Date)
  /// A session shorter than 30 minutes or longer than 24 hours.
  case sessionLength(Duration)
  /// An idempotency key that was used for another order.
  case keyReused(String)
  /// A text that is no idempotency key.
  case badKey
  /// A refund of nothing, or of more than is left of the order.
  case refundTooLarge(Money, left: Money)
  /// An amount that cannot be computed.
  case money(MoneyError)
  /// The store that cannot keep the basket.
  case store(BasketStoreError)
  /// A payment that did not go through.
  case payment(PaymentError)
}
