// SPDX-License-Identifier: Apache-2.0

/// Real time, for waits that must be real even where Swift's clocks show the time of a scope of
/// virtual time.
package enum RealTime {
  /// Whether clocks and sleeps are real for this task, although its scope shows another time.
  @TaskLocal package static var isInForce = false

  package static var now: ContinuousClock.Instant { $isInForce.withValue(true) { .now } }
}
