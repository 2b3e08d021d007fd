// SPDX-License-Identifier: Apache-2.0

import Checkout
import Foundation

/// A payment service that fails, or ends the program, as the command line demands.
struct FailingPayments: PaymentService {
  /// The simulated failures of a payment.
  enum Failure: String, CaseIterable {
    /// The service declines the payment.
    case declined
    /// The service cannot be reached.
    case down
    /// The money is taken, and the answer is lost.
    case lost
  }

  /// The steps after which the program can be killed.
  enum Step: String, CaseIterable {
    /// The payment is recorded in the books, but not requested.
    case note
    /// The money is taken, but no order is placed.
    case charge
    /// The order is placed, but nothing is shown.
    case order
  }

  let payments: any PaymentService
  let failure: Failure?
  let lastStep: Step?

  func charge(
    _ charge: Charge, to method: PaymentMethod
  ) async throws(PaymentError) -> Payment {
    if lastStep == .note { Self.crash() }
    let payment = try await failing { () async throws(PaymentError) in
      try await payments.charge(charge, to: method)
    }
    if lastStep == .charge { Self.crash() }
    return payment
  }

  func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome {
    if failure == .down || failure == .lost { throw .unavailable("--fail-payment") }
    return try await payments.outcome(of: reference)
  }

  func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError) {
    try await failing { () async throws(PaymentError) in
      try await payments.refund(amount, of: payment, reference: reference)
    }
  }

  /// Sends a request unless the service fails before it; throws if the answer is lost.
  private func failing<Answer>(
    _ send: () async throws(PaymentError) -> Answer
  ) async throws(PaymentError) -> Answer {
    if failure == .declined { throw .declined }
    if failure == .down { throw .unavailable("--fail-payment down") }
    let answer = try await send()
    if failure == .lost { throw .unavailable("--fail-payment lost") }
    return answer
  }

  /// Kills the program at once, without exit handlers.
  static func crash() -> Never {
    kill(getpid(), SIGKILL)
    while true { pause() }
  }
}
