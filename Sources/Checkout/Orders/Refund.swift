public import Foundation

/// Money that is given back for an order, and the goods that come back for it.
public struct Refund: Hashable, Sendable, Codable, Identifiable {
  /// The identity of the refund, and its reference at the payment service.
  public let id: UUID
  /// The amount.
  public let amount: Money
  /// The tax in the amount.
  public let tax: Money
  /// The goods that come back; none for a reduction.
  public let lines: [BasketLine]
  /// Whether the payment service has given the money back; if not, it is asked again.
  public internal(set) var isPaid: Bool
}

/// A part of an order that is to be refunded.
enum RefundPart: Sendable {
  /// All that is left, and the goods.
  case rest
  /// A sum, and no goods until it is the last one.
  case amount(Money)
  /// Some of the goods, at the price paid for them.
  case goods([BasketLine])
}
