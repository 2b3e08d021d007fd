// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A purchase under way: its goods are out of stock, and its order is not placed yet.
///
/// A purchase is recorded before the charge. It ends when the order is placed, or when the goods
/// are returned to the stock.
public struct Purchase: Hashable, Sendable, Codable {
  /// The goods and the coupon that a sender asks for: those of the request or, if there is none,
  /// those of the open checkout. They are compared to detect a key that is sent with other content.
  struct Content: Hashable, Sendable, Codable {
    let lines: [BasketLine]
    let coupon: String?
  }

  /// The sender's key for the purchase.
  public let key: IdempotencyKey
  /// The agreed price, which later changes of prices do not affect.
  public let priced: PricedBasket
  /// The instant at which the price was agreed.
  public let agreedAt: Date
  let content: Content
  /// Whether `CheckoutDesk.checkout(_:)` added the content to the basket for this purchase only. If
  /// so, the content must be removed from the basket when the purchase fails.
  let isRequest: Bool
  /// The coupon that the basket had before a request; nil for none, and for a purchase that is not
  /// a request.
  let earlierCoupon: String?
  let reservation: Reservation
  /// The identity of the basket that is bought.
  let basket: UUID
  /// Whether the goods were removed from the basket because the outcome of the payment is unknown.
  var isOutOfBasket = false

  /// Makes the charge that is sent to the payment service.
  func charge() throws(CheckoutError) -> Charge {
    do throws(PaymentError) {
      return try Charge(priced.total, for: reservation.lines, reference: "\(key)")
    } catch {
      throw .payment(error)
    }
  }
}
