/// A service that charges buyers and pays refunds.
///
/// Each call has a reference, and the service acts once for each reference, however often it is
/// called: a shop that got no answer, or was killed before the answer, calls again.
public protocol PaymentService: Sendable {
  /// Charges an amount, once for each reference; repeated, it returns the same payment.
  ///
  /// - Parameters:
  ///   - charge: The amount, the goods and the reference.
  ///   - method: The kind and the token of the buyer's card or account.
  /// - Returns: The payment, with its name at the service.
  /// - Throws: ``PaymentError/unavailable(_:)`` if it is unknown whether the money was taken; all
  ///   other errors mean that it was not. A service that knows the reference with another amount,
  ///   payer or basket throws ``PaymentError/referenceReused``.
  func charge(_ charge: Charge, to method: PaymentMethod) async throws(PaymentError) -> Payment

  /// The outcome of the charge with that reference, for a shop that got no answer.
  ///
  /// - Parameter reference: The name of the charge at the shop, as it was sent.
  /// - Returns: Whether the money was taken; not taken, for a charge that the service does not
  ///   know.
  /// - Throws: ``PaymentError/unavailable(_:)`` if the service cannot be reached now.
  func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome

  /// Refunds an amount of a payment, once for each reference.
  ///
  /// - Parameters:
  ///   - amount: The amount to refund, in the payment's currency.
  ///   - payment: The name of the payment at the service.
  ///   - reference: The name of the refund at the shop, the same for each repetition.
  /// - Throws: ``PaymentError/unavailable(_:)`` if it is unknown whether the money was refunded;
  ///   all other errors mean that it was not.
  func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError)
}

/// An amount to take from a buyer, and its purpose.
public struct Charge: Hashable, Sendable, Codable {
  /// The amount, which is not negative.
  public let amount: Money
  /// The goods that are paid.
  public let lines: [BasketLine]
  /// The name of the charge at the shop.
  public let reference: String

  /// Creates a charge.
  ///
  /// - Parameters:
  ///   - amount: The amount, zero or more.
  ///   - lines: The goods that are paid.
  ///   - reference: The name of the charge at the shop, the same for each repetition.
  /// - Throws: ``PaymentError/badAmount(_:)`` for a negative amount.
  public init(
    _ amount: Money, for lines: [BasketLine], reference: String
  ) throws(PaymentError) {
    guard !amount.isNegative else { throw .badAmount(amount) }
    self.amount = amount
    self.lines = lines
    self.reference = reference
  }
}

/// A payment that was made.
public struct Payment: Hashable, Sendable, Codable {
  /// The name of the payment at the service.
  public let name: String
  /// The amount that was taken.
  public let amount: Money

  /// Creates a payment.
  ///
  /// - Parameters:
  ///   - name: The name at the service, by which it is refunded.
  ///   - amount: The amount that was taken.
  public init(_ name: String, amount: Money) {
    self.name = name
    self.amount = amount
  }
}

/// The outcome of a charge.
public enum ChargeOutcome: Hashable, Sendable {
  /// The money was taken.
  case charged(Payment)
  /// The money was not taken, and will not be unless it is asked for again.
  case notCharged
  /// The service does not know yet.
  case unknown
}

/// A buyer's means of payment: a kind, which is public, and a token, which is not.
public struct PaymentMethod: Hashable, Sendable {
  /// The kinds of payment.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// A card, by the token of its processor.
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
  /// The kind alone, so that printing it does not reveal the token.
  public var description: String { kind.rawValue }

  /// The kind alone, so that dumping it does not reveal the token.
  public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
