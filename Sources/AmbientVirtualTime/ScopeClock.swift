// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import AmbientSystem

/// The two clocks of a scope: the monotonic one, which only advances, and the wall clock, which may
/// also be set.
struct ScopeClock {
  /// The wall time at the start of the scope, as a duration since the reference date.
  private let origin: Duration
  private var wallOffset: Duration = .zero
  /// The time to which the scope has advanced its monotonic clock, counted from the start.
  private var passed: Duration = .zero
  /// The time by which the scope's clock is ahead of the system's monotonic clock. Nil until the
  /// scope's clock runs on with the system's clock.
  private var lead: Duration?

  init(origin: Date) { self.origin = origin.sinceReferenceDate }

  /// The monotonic time since the start of the scope.
  var now: Duration { lead.map { SystemClock.monotonic().plus($0) } ?? passed }

  /// The current wall time, as a duration since the reference date.
  var wall: Duration { origin.plus(now).plus(wallOffset) }

  /// The wall time when the monotonic time is `uptime`.
  func wall(at uptime: Duration) -> Date {
    Date(sinceReferenceDate: origin.plus(uptime).plus(wallOffset))
  }

  /// The monotonic time at which the wall clock shows `date`.
  func uptime(at date: Date) -> Duration {
    date.sinceReferenceDate.minus(origin).minus(wallOffset)
  }

  /// Advances the clock to `time`. Returns false if the clock has already reached that time.
  mutating func pass(to time: Duration) -> Bool {
    guard time > now else { return false }
    passed = time
    return true
  }

  /// Makes the clock advance with the system's clock from now on.
  mutating func runOn() {
    if lead == nil { lead = passed.minus(SystemClock.monotonic()) }
  }

  mutating func stepWall(by duration: Duration) { wallOffset = wallOffset.plus(duration) }
}
