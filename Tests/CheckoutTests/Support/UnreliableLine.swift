// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout

/// A line to a payment service that works, loses the answer, delays the call beyond the desk's
/// patience, or refuses it, as the caller's random numbers decide.
final class UnreliableLine: PaymentService {
  let service: any PaymentService
  private let mended = Guarded(false)

  init(to service: any PaymentService) { self.service = service }

  /// From now on, each call works.
  func mend() { mended.withLock { $0 = true } }

  func charge(_ charge: Charge, to method: PaymentMethod) async throws(PaymentError) -> Payment {
    try await carry { () async throws(PaymentError) in
      try await service.charge(charge, to: method)
    }
  }

  func outcome(of reference: String) async throws(PaymentError) -> ChargeOutcome {
    try await carry { () async throws(PaymentError) in
      try await service.outcome(of: reference)
    }
  }

  func refund(
    _ amount: Money, of payment: String, reference: String
  ) async throws(PaymentError) {
    try await carry { () async throws(PaymentError) in
      try await service.refund(amount, of: payment, reference: reference)
    }
  }

  private func carry<Answer>(
    _ call: () async throws(PaymentError) -> Answer
  ) async throws(PaymentError) -> Answer {
    if mended.withLock({ $0 }) { return try await call() }
    switch AmbientRandomNumberGenerator().next() % 4 {
    case 0: return try await call()
    case 1:
      _ = try await call()
      throw .unavailable("the answer was lost")
    case 2:
      try? await Time.sleep(for: .seconds(45))
      return try await call()
    default: throw .unavailable("the line refused the call")
    }
  }
}
