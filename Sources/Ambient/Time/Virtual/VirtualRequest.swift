#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A wait for virtual time to advance.
struct VirtualRequest {
  enum Goal {
    /// Nothing but that all in the scope are suspended.
    case settle
    /// One sleeper, the next one, is woken.
    case step
    /// Time has passed by a duration, each sleeper seeing its own due time.
    case advance(Duration)
    /// The wall shows a date, each sleeper having seen its own due time.
    case reach(Date)
    /// Time has passed by a duration at once, and sleepers wake late.
    case jump(Duration)
    /// Nothing but background tasks sleeps any more, after at most so many wakes.
    case exhaust(Int)
  }

  let id: UInt64
  /// Who asked.
  let caller: SourcePlace
  var goal: Goal
  /// How many must sleep before each step, and at the end.
  let sleepers: Int
  /// Whether waiting let go of a hold, to be taken up again at the end.
  let releasedHold: Bool
  /// When it was asked for.
  let start: Duration
  let continuation: CheckedContinuation<Bool, any Error>
  /// The monotonic time at which the request is done, once its turn has come.
  var target: Duration?
  var firings = 0
}
