// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import Foundation

/// The reason why a product cannot be put in a basket, priced, reserved or bought, or an order
/// cannot be refunded.
///
/// The stored basket keeps its contents, except after `paymentPending`: the goods stay out of the
/// basket until the outcome of the payment is known.
public enum CheckoutError: Error, Hashable, Sendable {
  /// A product that the shop does not have, with the most similar product that it has.
  case unknownSKU(SKU, nearest: SKU?)
  /// A quantity of zero or less.
  case quantityNotPositive(SKU, Int)
  /// A quantity above the limit for one product in a basket.
  case quantityTooLarge(SKU, limit: Int)
  /// A product whose currency differs from the basket's.
  case mixedCurrencies(SKU, Currency, basket: Currency)
  /// A basket without lines.
  case emptyBasket
  /// A coupon that the shop does not have, with the most similar coupon that it has.
  case unknownCoupon(String, nearest: String?)
  /// A coupon whose last day is over.
  case lapsedCoupon(String, lastDay: LocalDate)
  /// A coupon whose first day is still to come.
  case earlyCoupon(String, firstDay: LocalDate)
  /// A coupon whose currency differs from the basket's.
  case couponCurrency(String, Currency, basket: Currency)
  /// A coupon that needs a larger basket.
  case couponMinimum(String, Money)
  /// A quantity above the number of available items.
  case insufficientStock(SKU, wanted: Int, available: Int)
  /// A product that may not be sold at the current hour.
  case outsideSaleHours(SKU, OpeningHours)
  /// A product with an age limit above the buyer's age.
  case underAge(SKU, years: Int)
  /// A product with an age limit, for a buyer without a known date of birth.
  case unknownAge(SKU, years: Int)
  /// A date of birth in the future.
  case notYetBorn(LocalDate)
  /// A locked price whose lock ended at `until`.
  case lapsedQuote(until: Date)
  /// A total that differs from the total shown to the buyer.
  case otherTotal(Money, seen: Money)
  /// A reservation of goods that has lapsed; `after` is the time for which the goods were reserved.
  case lapsedReservation(after: Duration)
  /// A session that ended at `until`.
  case lapsedSession(until: Date)
  /// A session shorter than 30 minutes or longer than 24 hours.
  case sessionLength(Duration)
  /// An idempotency key that was used for another order: for other goods, another coupon or another
  /// total than the buyer saw now.
  case keyReused(String)
  /// A text that is not an idempotency key.
  case badKey
  /// A duration that is too short or too long for a reservation, for a price lock, for the validity
  /// of an idempotency key or for the wait for a payment.
  case lifetime(Duration)
  /// A payment with an unknown outcome; the goods stay out of stock until the outcome is known.
  case paymentPending(String)
  /// An order that the shop does not have.
  case unknownOrder(UUID)
  /// Goods that the order does not contain, or that were returned already.
  case notInOrder(SKU, Int, left: Int)
  /// A withdrawal from an order of a shop that takes nothing back.
  case noWithdrawal
  /// Goods whose period of withdrawal ended with `lastDay`.
  case lapsedWithdrawal(lastDay: LocalDate)
  /// A refund of zero or less, or a refund of more than the amount that is left to refund.
  case refundTooLarge(Money, left: Money)
  /// An amount that cannot be computed.
  case money(MoneyError)
  /// An error of the store that keeps the basket.
  case store(BasketStoreError)
  /// A payment that failed.
  case payment(PaymentError)
  /// An error of the shop's store: the change could not be written, and did not happen.
  case books(ShopStoreError)
}

extension CheckoutError: DescribedError {
  /// The fault, and advice.
  public var description: String { text.escaped }

  private var text: String {
    switch self {
    case .unknownSKU(let sku, let nearest):
      "there is no product “\(sku)”" + (nearest.map { "; did you mean “\($0)”?" } ?? "")
    case .quantityNotPositive(let sku, let count):
      "\(count) of “\(sku)” cannot be bought; use 1 or more"
    case .quantityTooLarge(let sku, let limit):
      "that many of “\(sku)” cannot be bought; use at most \(limit)"
    case .mixedCurrencies(let sku, let currency, let basket):
      "the price of “\(sku)” is in \(currency), but the basket is in \(basket); buy it separately"
    case .emptyBasket: "the basket is empty; add something first"
    case .unknownCoupon(let code, let nearest):
      "there is no coupon “\(code)”" + (nearest.map { "; did you mean “\($0)”?" } ?? "")
    case .lapsedCoupon(let code, let day): "the coupon “\(code)” was valid through \(day)"
    case .earlyCoupon(let code, let day): "the coupon “\(code)” is not valid until \(day)"
    case .couponCurrency(let code, let currency, let basket):
      "the coupon “\(code)” is in \(currency), but the basket is in \(basket)"
    case .couponMinimum(let code, let minimum):
      "the coupon “\(code)” requires a basket of at least \(minimum)"
    case .insufficientStock(let sku, _, ...0): "“\(sku)” is sold out; remove it"
    case .insufficientStock(let sku, let wanted, let available):
      "\(wanted) of “\(sku)” were requested, but the stock is \(available); use fewer"
    case .outsideSaleHours(let sku, let hours):
      "“\(sku)” is sold only from \(hours); come back then"
    case .underAge(let sku, let years):
      "“\(sku)” is sold only to people aged \(years) or older; remove it"
    case .unknownAge(let sku, let years):
      "“\(sku)” is sold only to people aged \(years) or older; provide your date of birth"
    case .notYetBorn(let day): "\(day) is in the future; provide your date of birth"
    case .lapsedQuote(let end):
      "the price was locked until \(end.iso8601(fractionDigits: 0)); request a new price"
    case .otherTotal(let total, let seen):
      "the total changed from \(seen) to \(total); check it and buy again"
    case .lapsedReservation(let length):
      "the reservation ended after \(length.components.seconds) s; begin the checkout again"
    case .lapsedSession(let end):
      "the session ended at \(end.iso8601(fractionDigits: 0)); begin the checkout again"
    case .sessionLength(let length):
      "a session cannot last \(length.components.seconds) s; use 30 minutes to 24 hours"
    case .keyReused(let key): "the key “\(key)” was used for another order; use a new key"
    case .badKey: "an idempotency key must have 1 to 255 bytes; use another text"
    case .lifetime(let length):
      "\(length) is not a valid lifetime; use a millisecond to 366 days"
    case .paymentPending:
      """
      the outcome of the payment is unknown, and the goods stay reserved; retry with the same key, \
      which never pays twice
      """
    case .unknownOrder(let id): "the shop has no order \(id)"
    case .notInOrder(let sku, let count, let left):
      "\(count) of “\(sku)” cannot be returned; use at most \(left)"
    case .noWithdrawal: "this shop accepts no returns; ask it for a refund"
    case .lapsedWithdrawal(let day): "the goods could be returned only until \(day)"
    case .refundTooLarge(_, let left) where left.minorUnits == 0:
      "the order is already fully refunded"
    case .refundTooLarge(let amount, let left):
      "\(amount) cannot be refunded; use more than zero and at most \(left)"
    case .money(let error): error.description
    case .store(let error): error.description
    case .payment(let error): error.description
    case .books(let error): error.description
    }
  }
}

extension CheckoutError {
  /// A stable name of the error for logs and programs, without any of the user's input.
  public var code: String {
    switch self {
    case .unknownSKU: "unknown_sku"
    case .quantityNotPositive: "quantity_not_positive"
    case .quantityTooLarge: "quantity_too_large"
    case .mixedCurrencies: "mixed_currencies"
    case .emptyBasket: "empty_basket"
    case .unknownCoupon: "unknown_coupon"
    case .lapsedCoupon: "lapsed_coupon"
    case .earlyCoupon: "early_coupon"
    case .couponCurrency: "coupon_currency"
    case .couponMinimum: "coupon_minimum"
    case .insufficientStock: "insufficient_stock"
    case .outsideSaleHours: "outside_sale_hours"
    case .underAge: "under_age"
    case .unknownAge: "unknown_age"
    case .notYetBorn: "not_yet_born"
    case .lapsedQuote: "lapsed_quote"
    case .otherTotal: "other_total"
    case .lapsedReservation: "lapsed_reservation"
    case .lapsedSession: "lapsed_session"
    case .sessionLength: "session_length"
    case .keyReused: "key_reused"
    case .badKey: "bad_key"
    case .lifetime: "lifetime"
    case .paymentPending: "payment_pending"
    case .unknownOrder: "unknown_order"
    case .notInOrder: "not_in_order"
    case .noWithdrawal: "no_withdrawal"
    case .lapsedWithdrawal: "lapsed_withdrawal"
    case .refundTooLarge: "refund_too_large"
    case .money: "money"
    case .store: "store"
    case .payment: "payment"
    case .books: "books"
    }
  }
}
