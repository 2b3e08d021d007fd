// SPDX-License-Identifier: Apache-2.0

/// All input of a checkout: the goods, the means of payment, and the key of the order.
public struct CheckoutRequest: Hashable, Sendable {
  /// The lines to add to the basket before the basket is bought.
  public let lines: [BasketLine]
  /// The code of a coupon, or nil to keep the basket's coupon.
  public let coupon: String?
  /// The means of payment.
  public let payment: PaymentMethod
  /// The buyer's date of birth, if goods with an age limit are bought.
  public let born: LocalDate?
  /// The total that the buyer saw, tax included, or nil if the buyer saw no total. If the total to
  /// pay differs from it, nothing is charged. If an order with the same key has another total, that
  /// order is not returned. Without a total, a request without lines cannot be distinguished from a
  /// repetition of an earlier one, even if the basket has other goods by now.
  public let total: Money?
  /// The unique key of the order.
  public let key: IdempotencyKey

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - lines: The goods to add to the basket; empty to buy what is in it.
  ///   - coupon: The code of a coupon; nil to keep the basket's coupon.
  ///   - payment: The means of payment.
  ///   - born: The buyer's date of birth, for goods with an age limit; nil if there are none.
  ///   - total: The total that the buyer saw; nil to charge any total.
  ///   - key: The key of the order: the same one for each repetition of this request.
  public init(
    _ lines: [BasketLine], coupon: String? = nil, payment: PaymentMethod,
    born: LocalDate? = nil, total: Money? = nil, key: IdempotencyKey = IdempotencyKey()
  ) {
    self.lines = lines
    self.coupon = coupon
    self.payment = payment
    self.born = born
    self.total = total
    self.key = key
  }

  var content: Purchase.Content { Purchase.Content(lines: lines, coupon: coupon?.uppercased()) }
}
