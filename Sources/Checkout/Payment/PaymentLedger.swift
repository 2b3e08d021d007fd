internal import Ambient

/// A payment service that writes down who owes what, for shops that are paid by invoice.
///
/// It refuses no one but those whose tokens it was told, and remembers references for 24 hours.
public actor PaymentLedger: PaymentService {
  /// A charge or, negative, a refund.
  public struct Entry: Hashable, Sendable {
    /// The name of the payment.
    public let payment: String
    /// The amount.
    public let amount: Money
  }

  /// What was written down, oldest first.
  public private(set) var entries: [Entry] = []
  private var payments: [String: (payment: String, lifetime: Lifetime)] = [:]
  private var names: Set<String> = []
  private let refused: Set<String>

  /// A ledger that refuses these tokens.
  public init(refusing tokens: Set<String> = []) { refused = tokens }

  /// Writes down a charge, once for each reference.
  public func charge(
    _ amount: Money, to method: PaymentMethod, reference: String
  ) async throws(PaymentError) -> String {
    guard !refused.contains(method.token) else { throw .declined }
    if let known = payments[reference], known.lifetime.isAlive { return known.payment }
    let payment = "payment-\(names.count + 1)"
    names.insert(payment)
    payments[reference] = (
      payment, Lifetime(since: Time.now, lasting: IdempotencyKey.standardLength)
    )
    entries.append(Entry(payment: payment, amount: amount))
    return payment
  }

  /// Writes down a refund.
  public func refund(_ amount: Money, of payment: String) async throws(PaymentError) {
    guard names.contains(payment) else { throw .unknownPayment(payment) }
    let negative = Money(minorUnits: -amount.minorUnits, amount.currency)
    entries.append(Entry(payment: payment, amount: negative))
  }
}
