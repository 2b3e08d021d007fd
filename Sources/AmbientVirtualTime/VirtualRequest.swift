// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import AmbientSystem

/// A call that waits for virtual time to advance.
struct VirtualRequest {
  enum Goal {
    /// The wait ends when all tasks of the scope are suspended.
    case settle
    /// The wait ends when the next sleeper, if any, has been woken and all tasks are suspended
    /// again.
    case step
    /// Time passes by a duration. Each sleeper wakes when time reaches its deadline.
    case advance(Duration)
    /// Time passes until the wall clock shows a date. Each sleeper wakes when time reaches its
    /// deadline.
    case reach(Date)
    /// The clock jumps ahead by a duration before any sleeper wakes. Sleepers whose deadlines
    /// the clock has passed then wake late.
    case jump(Duration)
    /// The wait ends when no task sleeps except background tasks. It fails if this takes more than
    /// the given number of wake-ups.
    case exhaust(Int)
  }

  let id: UInt64
  /// The source location of the call.
  let caller: SourcePlace
  var goal: Goal
  /// The number of tasks that must be asleep whenever the scope advances time for the wait, and
  /// when the wait succeeds.
  let sleepers: Int
  /// Whether the wait released a hold. If it did, the hold is taken again when the wait ends.
  let releasedHold: Bool
  /// The monotonic time of the call.
  let start: Duration
  let continuation: CheckedContinuation<Bool, any Error>
  /// The monotonic time at which the wait ends; nil until the scope begins to advance time for the
  /// wait. Always nil for `settle`, `step` and `exhaust`.
  var target: Duration?
  /// The number of sleepers that the scope has woken for the wait.
  var firings = 0

  /// Whether the scope may wake another sleeper for the wait.
  var mayFire: Bool {
    if case .exhaust(let limit) = goal { firings < limit } else { true }
  }
}
