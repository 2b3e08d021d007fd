// SPDX-License-Identifier: Apache-2.0

import Ambient
import CheckoutWiring

/// Counts the rounds that verifiers ask of the system, from the settings that they give it.
final class CountedRounds: Sendable {
  private let count = Guarded(0)

  var rounds: Int { count.withLock { $0 } }

  func reset() { count.withLock { $0 = 0 } }

  /// A verifier that hashes in its way by the least rounds that the system takes.
  func verifier(rounds: Int) -> SystemPasswordVerifier {
    SystemPasswordVerifier(rounds: rounds) { [self] password, setting in
      let asked = SystemPasswordVerifier.rounds(of: PasswordHash(rawValue: setting))
      guard asked > 0 else { return nil }
      count.withLock { $0 += asked }
      return setting + String(password.reversed())
    }
  }
}
