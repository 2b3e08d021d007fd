/// Takes money, and gives it back.
///
/// Each call carries a reference, and a service does what a reference asks for once, however often
/// it is asked: a shop that has no answer, or was killed before it came, asks again.
public protocol PaymentService: Sendable {
  /// Charges an amount, once for each reference; again, it returns the same payment.
  ///
  /// - Parameters:
  ///   - charge: The amount, the goods and the reference.
  ///   - method: The kind and the token of the buyer's card or account.
  /// - Returns: The payment, with its name at the service.
  /// - Throws: ``PaymentError/unavailable(_:)`` if it is not known whether the money was taken; all
  ///   others say that it was not. A service that knows the reference for another amount, payer or
  ///   basket throws ``PaymentError/referenceReused``.
  func charge(_ charge: Charge, to method: PaymentMethod) async throws(PaymentError) -> Payment

  /// The outcome of the charge with that reference, for a shop that got no answer.
  ///
  /// - Parameter reference: The name of the charge at the shop, as it was sent.
  /// - Returns: Whether the money was taken; a charge of which the service has never heard was not.
  /// - Throws: ``PaymentError/unavailable(_:)`` if the service cannot be asked now.
  func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome

  /// Gives back an amount of a payment, once for each reference.
  ///
  /// - Parameters:
  ///   - amount: How much is given back, in the payment's currency.
  ///   - payment: The name of the payment at the service.
  ///   - reference: The name of the refund at the shop, the same for each repetition.
  /// - Throws: ``PaymentError/unavailable(_:)`` if it is not known whether the money was given
  ///   back; all others say that it was not.
  func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError)
}

/// A sum to take from a buyer, and its purpose.
public struct Charge: Hashable, Sendable, Codable {
  /// The amount, which is not negative.
  public let amount: Money
  /// The goods that it buys.
  public let lines: [BasketLine]
  /// The name of the charge at the shop.
  public let reference: String

  /// A charge.
  ///
  /// - Parameters:
  ///   - amount: The amount, zero or more.
  ///   - lines: The goods that it buys.
  ///   - reference: The name of the charge at the shop, the same for each repetition.
  /// - Throws: ``PaymentError/badAmount(_:)`` for an amount of less than nothing.
  public init(
    _ amount: Money, for lines: [BasketLine], reference: String
  ) throws(PaymentError) {
    guard !amount.isNegative else { throw .badAmount(amount) }
    self.amount = amount
    self.lines = lines
    self.reference = reference
  }
}

/// Money that was taken.
public struct Payment: Hashable, Sendable, Codable {
  /// The name of the payment at the service.
  public let name: String
  /// The amount that was taken.
  public let amount: Money

  /// A payment of that name.
  ///
  /// - Parameters:
  ///   - name: The name at the service, by which it is given back.
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
    /// A card, by the token that its processor gave for it.
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

  /// A way to pay.
  ///
  /// - Parameters:
  ///   - kind: The kind, which may be logged.
  ///   - token: The payment service's token for the card or account, which is shown nowhere.
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
