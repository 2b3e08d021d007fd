internal import Ambient

/// A payment service that writes down who owes what, for shops that are paid by invoice.
///
/// It refuses the tokens that it was told to refuse, and remembers each reference for ever.
public actor PaymentLedger: PaymentService {
  /// A charge or, negative, a refund.
  public struct Entry: Hashable, Sendable {
    /// The name of the payment.
    public let payment: String
    /// The amount.
    public let amount: Money
  }

  private struct Charged {
    let charge: Charge
    let method: PaymentMethod
    let payment: Payment
  }

  /// The charges and refunds, oldest first.
  public private(set) var entries: [Entry] = []
  private var charges: [String: Charged] = [:]
  /// What is left of each payment.
  private var left: [String: Money] = [:]
  private var refunds: [String: Entry] = [:]
  private let refused: Set<String>

  /// A ledger that refuses these tokens.
  public init(refusing tokens: Set<String> = []) { refused = tokens }

  /// Writes down a charge, once for each reference.
  public func charge(
    _ charge: Charge, to method: PaymentMethod
  ) async throws(PaymentError) -> Payment {
    if let known = charges[charge.reference] {
      guard known.charge == charge, known.method == method else { throw .referenceReused }
      return known.payment
    }
    guard !refused.contains(method.token) else { throw .declined }
    let payment = Payment("payment-\(charges.count + 1)", amount: charge.amount)
    charges[charge.reference] = Charged(charge: charge, method: method, payment: payment)
    left[payment.name] = payment.amount
    entries.append(Entry(payment: payment.name, amount: payment.amount))
    return payment
  }

  /// What stands in the ledger for that reference.
  public func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome {
    charges[reference].map { .charged($0.payment) } ?? .notCharged
  }

  /// Writes down a refund, once for each reference, of no more than is left of the payment.
  public func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError) {
    guard let left = left[payment] else { throw .unknownPayment(payment) }
    let entry = Entry(
      payment: payment, amount: Money(minorUnits: -amount.minorUnits, amount.currency))
    if let known = refunds[reference] {
      guard known == entry else { throw .referenceReused }
      return
    }
    guard let rest = try? left.subtracting(amount), !rest.isNegative, !amount.isNegative else {
      throw .badAmount(amount)
    }
    self.left[payment] = rest
    refunds[reference] = entry
    entries.append(entry)
  }
}
