public import Foundation

/// Goods taken out of the stock for a payment whose outcome is unknown.
///
/// It is recorded before the charge, and ends with the order, or with the goods returned to the
/// stock.
public struct Purchase: Hashable, Sendable, Codable {
  /// The content of a request: the same key with other content is a mistake of the sender.
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
  /// Whether the content was put into the basket for this purchase.
  let isRequest: Bool
  let reservation: Reservation
  /// The identity of the basket that is bought.
  let basket: UUID
  /// Whether the goods were removed from the basket; they are while the outcome is unknown.
  var isOutOfBasket = false

  /// The charge to ask the payment service for.
  func charge() throws(CheckoutError) -> Charge {
    do throws(PaymentError) {
      return try Charge(priced.total, for: reservation.lines, reference: "\(key)")
    } catch {
      throw .payment(error)
    }
  }
}
