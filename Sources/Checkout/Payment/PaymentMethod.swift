// SPDX-License-Identifier: Apache-2.0

/// A buyer's means of payment: a kind, which may be logged, and a token, which is secret.
public struct PaymentMethod: Hashable, Sendable {
  /// The kinds of payment.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// A card, identified by a token of the card processor.
    case card
    /// An invoice.
    case invoice
    /// A wallet on the buyer's device.
    case wallet
  }

  /// The kind, which may be logged.
  public let kind: Kind
  /// The payment service's token for the buyer's card or account; never a card's number.
  public let token: String

  /// Creates a means of payment.
  ///
  /// - Parameters:
  ///   - kind: The kind, which may be logged.
  ///   - token: The payment service's token for the card or account; it is never shown.
  public init(_ kind: Kind, token: String) {
    self.kind = kind
    self.token = token
  }
}

extension PaymentMethod: CustomStringConvertible, CustomReflectable {
  /// The kind alone, so that printing the value does not reveal the token.
  public var description: String { kind.rawValue }

  /// The kind alone, so that dumping the value does not reveal the token.
  public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
