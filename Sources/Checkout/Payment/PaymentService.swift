/// Takes money, and gives it back.
public protocol PaymentService: Sendable {
  /// Charges an amount, once for each reference, and returns the name of the payment.
  func charge(
    _ amount: Money, to method: PaymentMethod, reference: String
  ) async throws(PaymentError) -> String

  /// Gives back an amount of a payment.
  func refund(_ amount: Money, of payment: String) async throws(PaymentError)
}

/// How a buyer pays: a kind, which is public, and a token, which is not.
public struct PaymentMethod: Hashable, Sendable {
  /// The kinds of payment.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// A card, by the token that its processor gave for it.
    case card
    /// An invoice.
    case invoice
    /// A wallet on the buyer's device.
    case wallet
  }

  /// The kind, which may be logged.
  public let kind: Kind
  /// What the payment service knows the buyer's card or account by; never a card's number.
  public let token: String

  /// A way to pay.
  public init(_ kind: Kind, token: String) {
    self.kind = kind
    self.token = token
  }
}

extension PaymentMethod: CustomStringConvertible, CustomReflectable {
  /// The kind alone, so that printing it gives nothing away.
  public var description: String { kind.rawValue }

  /// The kind alone, so that dumping it gives nothing away.
  public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
