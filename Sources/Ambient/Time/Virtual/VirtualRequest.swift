#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A wait for virtual time to advance.
struct VirtualRequest {
  enum Goal {
    /// Until all tasks of the scope are suspended.
    case settle
    /// Until the next sleeper has been woken.
    case step
    /// Time passes by a duration; each sleeper wakes at its own due time.
    case advance(Duration)
    /// Time passes until the wall shows a date; each sleeper wakes at its own due time.
    case reach(Date)
    /// Time passes by a duration in one step; sleepers wake late.
    case jump(Duration)
    /// Until nothing but background tasks sleeps, after at most this number of wake-ups.
    case exhaust(Int)
  }

  let id: UInt64
  /// The caller of the advance.
  let caller: SourcePlace
  var goal: Goal
  /// The number of tasks that must sleep before each step, and at the end.
  let sleepers: Int
  /// Whether the wait released a hold, which is taken again at its end.
  let releasedHold: Bool
  /// The monotonic time of the call.
  let start: Duration
  let continuation: CheckedContinuation<Bool, any Error>
  /// The monotonic time at which the wait ends; nil until the scope begins to advance for it.
  var target: Duration?
  var firings = 0
}
