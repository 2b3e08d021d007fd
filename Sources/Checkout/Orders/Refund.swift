// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A refund for an order or for a part of it, with the goods that the buyer returns.
public struct Refund: Hashable, Sendable, Codable, Identifiable {
  /// The refund's identity, which is also the refund's reference at the payment service.
  public let id: UUID
  /// The amount.
  public let amount: Money
  /// The tax in the amount.
  public let tax: Money
  /// The returned goods; empty if the refund is for an amount or for the whole rest of an order.
  /// All goods of the order count as returned once the paid refunds add up to the order's total.
  public let lines: [BasketLine]
  /// Whether the payment service has confirmed the refund; if not, `CheckoutDesk.settle()` asks the
  /// service again.
  public internal(set) var isPaid: Bool
}

/// The part of an order to refund.
enum RefundPart: Sendable {
  /// The unrefunded rest of the total, and all goods that were not returned yet.
  case rest
  /// An amount; the goods count as returned only once the refunds add up to the total.
  case amount(Money)
  /// Some of the goods, at the price paid for them.
  case goods([BasketLine])
}
