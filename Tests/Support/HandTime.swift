// SPDX-License-Identifier: Apache-2.0

package import Ambient
package import Foundation

/// A time that a test moves by hand, each clock by itself, and that notes its sleeps.
package final class HandTime: Time, @unchecked Sendable {
  package struct Hands: Sendable {
    package var wall = Date(timeIntervalSinceReferenceDate: 800_000_000)
    package var elapsed = Duration.seconds(100)
    package var sleeps: [Duration] = []
    package var tolerances: [Duration?] = []
    package var callers: [SourcePlace] = []
  }

  package let hands = Guarded(Hands())

  package override init() {}

  package var sleeps: [Duration] { hands.withLock(\.sleeps) }

  package func pass(_ duration: Duration) {
    hands.withLock {
      $0.wall += duration / .seconds(1)
      $0.elapsed += duration
    }
  }

  package func setWall(by duration: Duration) {
    hands.withLock { $0.wall += duration / .seconds(1) }
  }

  package override var now: Date { hands.withLock(\.wall) }

  package override var uptime: Duration { hands.withLock(\.elapsed) }

  /// A sleep passes at once.
  package override func sleep(
    untilUptime deadline: Duration, tolerance: Duration?, caller: SourcePlace
  ) async throws {
    try Task.checkCancellation()
    let rest = deadline - uptime
    hands.withLock {
      $0.sleeps.append(rest)
      $0.tolerances.append(tolerance)
      $0.callers.append(caller)
    }
    if rest > .zero { pass(rest) }
  }
}

/// An error of a test's own.
package enum Trouble: Error { case here }
