// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// What happened, in order.
package final class Timeline: Sendable {
  private let kept = Guarded<[String]>([])

  package init() {}

  package var lines: [String] { kept.withLock { $0 } }

  package func note(_ line: String) { kept.withLock { $0.append(line) } }

  /// Notes the line behind the seconds that passed.
  package func stamp(_ line: String) { note("\(Time.uptime / .seconds(1)) \(line)") }

  /// A task that sleeps for so many seconds and then notes its name, or that it was cancelled.
  @discardableResult
  package func sleeper(_ name: String, _ seconds: Double) -> Task<Void, any Error> {
    Time.task {
      do {
        try await Time.sleep(for: .seconds(seconds))
        self.stamp(name)
      } catch is CancellationError {
        self.stamp("\(name) cancelled")
      }
    }
  }
}

/// The wall time at which the tests' scopes of virtual time start.
package let start = "2026-11-27T00:00:00Z"
