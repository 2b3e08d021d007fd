public import Foundation

/// A refund for an order, and the goods that are returned for it.
public struct Refund: Hashable, Sendable, Codable, Identifiable {
  /// The identity of the refund, and its reference at the payment service.
  public let id: UUID
  /// The amount.
  public let amount: Money
  /// The tax in the amount.
  public let tax: Money
  /// The returned goods; none for a price reduction.
  public let lines: [BasketLine]
  /// Whether the payment service has paid the refund; if not, it is asked again.
  public internal(set) var isPaid: Bool
}

/// The part of an order to refund.
enum RefundPart: Sendable {
  /// All that is left of the total, and the goods that were not returned yet.
  case rest
  /// An amount; goods are returned only with the last one.
  case amount(Money)
  /// Some of the goods, at the price paid for them.
  case goods([BasketLine])
}
