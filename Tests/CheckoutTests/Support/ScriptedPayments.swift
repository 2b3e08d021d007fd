// SPDX-License-Identifier: Apache-2.0

import Checkout

/// A ledger behind a line that fails where a test says.
actor ScriptedPayments: PaymentService {
  /// What a call does.
  enum Step: Sendable {
    case work
    /// The ledger is not reached.
    case fail(PaymentError)
    /// The ledger does its work, and its answer is lost.
    case loseAnswer
    /// Something else is done meanwhile, and the ledger is not reached.
    case meanwhile(@Sendable () async throws -> Void)
    /// The ledger does its work, something else is done, and the answer is lost.
    case loseAnswerAfter(@Sendable () async throws -> Void)
    /// Another amount is taken than was asked for.
    case take(Money)
    /// There is no work and no answer before all are woken.
    case hang
  }

  let ledger: PaymentLedger
  private var charges: [Step] = []
  private var outcomes: [Step] = []
  private var refunds: [Step] = []
  /// How often each was asked.
  private(set) var asked: [String] = []
  /// The references of the refunds that were asked for.
  private(set) var refundReferences: [String] = []

  init(_ ledger: PaymentLedger = PaymentLedger()) { self.ledger = ledger }

  /// What the next calls do; those after them work.
  func script(charges: [Step] = [], outcomes: [Step] = [], refunds: [Step] = []) {
    self.charges = charges
    self.outcomes = outcomes
    self.refunds = refunds
  }

  func charge(
    _ charge: Charge, to method: PaymentMethod
  ) async throws(PaymentError) -> Payment {
    asked.append("charge")
    if case .take(let amount)? = charges.first {
      charges.removeFirst()
      let other: Charge = try Charge(amount, for: charge.lines, reference: charge.reference)
      return try await ledger.charge(other, to: method)
    }
    return try await run(charges.isEmpty ? .work : charges.removeFirst()) {
      () async throws(PaymentError) in try await self.ledger.charge(charge, to: method)
    }
  }

  func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome {
    asked.append("outcome")
    if case .loseAnswer? = outcomes.first {
      outcomes.removeFirst()
      return .unknown
    }
    return try await run(outcomes.isEmpty ? .work : outcomes.removeFirst()) {
      () async throws(PaymentError) in try await self.ledger.outcome(of: reference)
    }
  }

  func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError) {
    asked.append("refund")
    refundReferences.append(reference)
    try await run(refunds.isEmpty ? .work : refunds.removeFirst()) {
      () async throws(PaymentError) in
      try await self.ledger.refund(amount, of: payment, reference: reference)
    }
  }

  private func run<R: Sendable>(
    _ step: Step, _ work: () async throws(PaymentError) -> R
  ) async throws(PaymentError) -> R {
    switch step {
    case .work, .take: return try await work()
    case .fail(let error): throw error
    case .loseAnswer:
      _ = try await work()
      throw .unavailable("down")
    case .meanwhile(let other):
      do { try await other() } catch { throw .unavailable("\(error)") }
      throw .unavailable("down")
    case .loseAnswerAfter(let other):
      _ = try await work()
      do { try await other() } catch { throw .unavailable("\(error)") }
      throw .unavailable("down")
    case .hang:
      await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
        hanging.append(never)
      }
      return try await work()
    }
  }

  /// Kept, since a continuation that is dropped ends with a warning.
  private var hanging: [CheckedContinuation<Void, Never>] = []

  func wakeAll() {
    for continuation in hanging { continuation.resume() }
    hanging = []
  }
}
