// SPDX-License-Identifier: Apache-2.0

/// A service that charges buyers and pays refunds.
///
/// Each charge and each refund has a reference. The service acts once for each reference, however
/// often it is called, because a shop that got no answer, or was killed before the answer, calls
/// again.
public protocol PaymentService: Sendable {
  /// Charges an amount, but only once for each reference. A repeated call returns the same payment.
  ///
  /// - Parameters:
  ///   - charge: The amount, the goods and the reference.
  ///   - method: The kind and the token of the buyer's card or account.
  /// - Returns: The payment, with the service's name for it.
  /// - Throws: ``PaymentError/unavailable(_:)`` if it is unknown whether the money was taken; all
  ///   other errors mean that it was not. If an earlier charge had the same reference but another
  ///   amount, payer or basket, the service throws ``PaymentError/referenceReused``.
  func charge(_ charge: Charge, to method: PaymentMethod) async throws(PaymentError) -> Payment

  /// Returns the outcome of the charge that has the given reference. A shop calls this method if it
  /// got no answer to a charge.
  ///
  /// - Parameter reference: The reference that was sent with the charge.
  /// - Returns: The outcome; `notCharged` for a charge that the service does not know.
  /// - Throws: ``PaymentError/unavailable(_:)`` if the service cannot be reached now.
  func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome

  /// Refunds an amount of a payment, but only once for each reference.
  ///
  /// - Parameters:
  ///   - amount: The amount to refund, in the payment's currency.
  ///   - payment: The service's name for the payment.
  ///   - reference: The shop's name for the refund, the same for each repetition.
  /// - Throws: ``PaymentError/unavailable(_:)`` if it is unknown whether the money was refunded;
  ///   all other errors mean that it was not.
  func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError)
}

/// An amount to take from a buyer, and the goods that it pays for.
public struct Charge: Hashable, Sendable, Codable {
  /// The amount, which is not negative.
  public let amount: Money
  /// The goods that the charge pays for.
  public let lines: [BasketLine]
  /// The shop's name for the charge.
  public let reference: String

  /// Creates a charge.
  ///
  /// - Parameters:
  ///   - amount: The amount, zero or more.
  ///   - lines: The goods that the charge pays for.
  ///   - reference: The shop's name for the charge, the same for each repetition.
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
  /// The service's name for the payment.
  public let name: String
  /// The amount that was taken.
  public let amount: Money

  /// Creates a payment.
  ///
  /// - Parameters:
  ///   - name: The service's name for the payment, which a refund must state.
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
  /// The money was not taken, and will not be taken unless the shop charges again.
  case notCharged
  /// The service does not know the outcome yet.
  case unknown
}
