// SPDX-License-Identifier: Apache-2.0

package import Ambient

/// Diagnostics that keep what is reported.
package final class Reports: Diagnostics, @unchecked Sendable {
  private let kept = Guarded<[Diagnostic]>([])

  package override func report(_ diagnostic: Diagnostic) { kept.withLock { $0.append(diagnostic) } }

  package var all: [Diagnostic] { kept.withLock { $0 } }
  package var messages: [String] { all.map(\.message) }
}
