// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import CheckoutWiring

/// A verifier that hashes by reversing, for tests that are not about hashing, and counts its work.
final class CountingPasswords: PasswordVerifier {
  private let checked = Guarded(0)

  var checks: Int { checked.withLock { $0 } }

  var decoy: PasswordHash { PasswordHash(rawValue: "decoy") }

  func hash(_ password: String) throws(PasswordError) -> PasswordHash {
    guard !password.isEmpty else { throw .empty }
    return PasswordHash(rawValue: "#" + String(password.reversed()))
  }

  func isWeak(_ hash: PasswordHash) -> Bool { false }

  func verify(_ password: String, against hash: PasswordHash) -> Bool {
    checked.withLock { $0 += 1 }
    return hash.rawValue == "#" + String(password.reversed())
  }
}
