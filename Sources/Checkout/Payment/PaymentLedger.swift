// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A payment service that records debts, for shops that are paid by invoice.
///
/// It declines the tokens passed to its initializer. It never discards a reference; its entries are
/// in memory, or in a folder, where they survive the process.
public actor PaymentLedger: PaymentService {
  /// A charge or, if the amount is negative, a refund.
  public struct Entry: Hashable, Sendable {
    /// The name of the charged or refunded payment.
    public let payment: String
    /// The amount.
    public let amount: Money
  }

  private struct Charged: Codable {
    let charge: Charge
    let kind: PaymentMethod.Kind
    let token: String
    let payment: Payment
  }

  private struct Refunded: Codable, Equatable {
    let reference: String
    let payment: String
    let amount: Money
  }

  private enum Line: Codable {
    case charged(Charged)
    case refunded(Refunded)
  }

  private struct Book {
    var entries: [Entry] = []
    var charges: [String: Charged] = [:]
    var refunds: [String: Refunded] = [:]
    /// The balance of each payment: its amount less its refunds.
    var left: [String: Money] = [:]

    mutating func apply(_ line: Line) {
      switch line {
      case .charged(let charged):
        charges[charged.charge.reference] = charged
        left[charged.payment.name] = charged.payment.amount
        entries.append(Entry(payment: charged.payment.name, amount: charged.payment.amount))
      case .refunded(let refund):
        refunds[refund.reference] = refund
        left[refund.payment] = try? left[refund.payment]?.subtracting(refund.amount)
        let amount = Money(minorUnits: -refund.amount.minorUnits, refund.amount.currency)
        entries.append(Entry(payment: refund.payment, amount: amount))
      }
    }
  }

  private var book = Book()
  private let refused: Set<String>
  private let file: EntryFile<Line>?

  /// The charges and refunds, oldest first.
  public var entries: [Entry] { book.entries }

  /// Creates a ledger in memory.
  ///
  /// - Parameter tokens: The tokens whose charges are declined.
  public init(refusing tokens: Set<String> = []) {
    refused = tokens
    file = nil
  }

  /// Opens the ledger in that folder, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - tokens: The tokens whose charges are declined; they are not stored in the folder.
  ///   - folder: The folder, for this ledger alone; one process may use it at a time.
  /// - Throws: ``ShopStoreError`` if the folder cannot be used, or another process uses it.
  public init(refusing tokens: Set<String> = [], folder: String) throws(ShopStoreError) {
    refused = tokens
    let (file, lines, damaged) = try EntryFile<Line>.open(folder, "ledger.records")
    _ = try file.setAside(damaged, keeping: lines)
    self.file = file
    for line in lines { book.apply(line) }
  }

  /// Records a charge or a refund: in the folder's file first, if there is one, then in memory.
  private func write(_ line: Line) throws(PaymentError) {
    // A charge that cannot be written did not happen: after `unavailable`, the shop asks for its
    // outcome, and `outcome(of:)` answers `notCharged`.
    do throws(ShopStoreError) { try file?.append(line, isSynced: true) } catch {
      throw .unavailable("\(error)")
    }
    book.apply(line)
  }

  /// Records a charge, once for each reference.
  ///
  /// - Parameters:
  ///   - charge: The amount, the goods and the reference.
  ///   - method: The kind and the token, which must be the same for the same reference.
  /// - Returns: The payment; for a known reference, the payment recorded first.
  /// - Throws: ``PaymentError/declined`` for a declined token; ``PaymentError/referenceReused`` if
  ///   an earlier charge had the same reference but another amount, payer or basket; or
  ///   ``PaymentError/unavailable(_:)`` if the folder cannot be written.
  public func charge(
    _ charge: Charge, to method: PaymentMethod
  ) async throws(PaymentError) -> Payment {
    if let known = book.charges[charge.reference] {
      guard known.charge == charge, known.kind == method.kind, known.token == method.token else {
        throw .referenceReused
      }
      return known.payment
    }
    guard !refused.contains(method.token) else { throw .declined }
    let payment = Payment(AmbientIdentifier.next().uuidString, amount: charge.amount)
    try write(
      .charged(
        Charged(charge: charge, kind: method.kind, token: method.token, payment: payment)))
    return payment
  }

  /// The outcome recorded for that reference.
  ///
  /// - Parameter reference: The shop's name for the charge.
  /// - Returns: `charged` with the payment, or `notCharged`; never `unknown`.
  public func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome {
    book.charges[reference].map { .charged($0.payment) } ?? .notCharged
  }

  /// Records a refund, once for each reference. All refunds of a payment together are at most the
  /// amount of the payment.
  ///
  /// - Parameters:
  ///   - amount: The amount to refund, which is not negative.
  ///   - payment: The name of the payment, as ``charge(_:to:)`` returned it.
  ///   - reference: The shop's name for the refund.
  /// - Throws: ``PaymentError`` if the payment is unknown; if the amount is negative, in another
  ///   currency, or larger than what is left of the payment; if an earlier refund had the same
  ///   reference but another amount or payment; or if the folder cannot be written.
  public func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError) {
    guard let left = book.left[payment] else { throw .unknownPayment(payment) }
    let refund = Refunded(reference: reference, payment: payment, amount: amount)
    if let known = book.refunds[reference] {
      guard known == refund else { throw .referenceReused }
      return
    }
    guard let rest = try? left.subtracting(amount), !rest.isNegative, !amount.isNegative else {
      throw .badAmount(amount)
    }
    try write(.refunded(refund))
  }
}
