// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// What Swift's clocks showed when a scope was made, in which they show the scope's time.
package final class ClockStarts: Sendable {
  let continuous: Duration
  let suspending: Duration
  private let isShown = OpenClocks()

  package init() {
    (continuous, suspending) = RealTime.$isInForce.withValue(true) {
      (
        ContinuousClock().systemEpoch.duration(to: .now),
        SuspendingClock().systemEpoch.duration(to: .now)
      )
    }
  }
}
