public import Foundation

/// Goods taken out of the stock for a payment whose outcome is unknown.
///
/// It is recorded before the charge, and ends with the order, or with the goods returned to the
/// stock.
public struct Purchase: Hashable, Sendable, Codable {
  /// The content of a request: the same key with another content is a mistake of the sender.
  struct Content: Hashable, Sendable, Codable {
    let lines: [BasketLine]
    let coupon: String?
  }

  /// The key that the sender gave to it.
  public let key: IdempotencyKey
  /// The price that was agreed, whatever it would be now.
  public let priced: PricedBasket
  /// When the price was agreed.
  public let agreedAt: Date
  let content: Content
  /// Whether the content was put into the basket for this purchase.
  let isRequest: Bool
  let reservation: Reservation
  /// The basket that it was bought from.
  let basket: UUID
  /// Whether the goods were taken out of the basket, as they are while the outcome is not known.
  var isOutOfBasket = false

  /// The sum to ask the payment service for.
  func charge() throws(CheckoutError) -> Charge {
    do throws(PaymentError) {
      return try Charge(priced.total, for: reservation.lines, reference: "\(key)")
    } catch {
      throw .payment(error)
    }
  }
}
