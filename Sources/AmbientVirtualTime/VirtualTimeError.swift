// SPDX-License-Identifier: Apache-2.0

public import Ambient
package import AmbientSystem

/// The error of a failed call of virtual time.
public struct VirtualTimeError: DescribedError, Hashable {
  /// The kind of the failure.
  @nonexhaustive
  public enum Code: Sendable, Hashable {
    /// The call was made outside virtual time.
    case outsideScope
    /// The scope had ended before the call.
    case ended
    /// A date is NaN or infinite, a scope's limit or patience is not above zero, or `sleepers` is
    /// negative.
    case invalidArgument
    /// An advance to an earlier time was requested.
    case backwards
    /// An advance waited for sleepers until the scope's limit of real time passed.
    ///
    /// The error is also reported to `Diagnostics`.
    case missingSleepers
    /// After the limit of wake-ups, tasks still sleep, or the condition is still false.
    case endless
    /// A condition is false, and no task sleeps that could make it true.
    case nothingSleeps
    /// A timer whose period is not above zero ticked 100,000 times at one instant.
    case tooManyTicks
    /// The body waits for an event that nothing in the scope will cause.
    case deadlock
    /// The scope made no progress for its limit of real time.
    ///
    /// The error is also reported to `Diagnostics`.
    case stalled
  }

  /// The failure with the values of its message. The message is made when it is asked for, because
  /// the names of sleepers must not be looked up under the lock of a scope.
  package enum Cause: Sendable, Hashable {
    /// The call was made outside virtual time.
    case outsideScope
    /// The scope had ended before the advance.
    case ended(caller: SourcePlace)
    /// An advance to an earlier time was requested.
    case backwards(from: Date, to: Date)
    /// An advance was asked to wait for a negative number of sleepers.
    case negativeSleepers(Int, caller: SourcePlace)
    /// An advance waited for at least `expected` tasks to sleep.
    ///
    /// Fewer did, and the scope's limit of real time, `after`, passed without progress. `sleepers`
    /// lists the tasks that slept.
    case missingSleepers(
      caller: SourcePlace, expected: Int, sleepers: [VirtualTime.Sleeper], after: Duration)
    /// After the limit of wake-ups, tasks still sleep, or the condition is still false. `sleepers`
    /// lists the tasks that sleep.
    case endless(firings: Int, sleepers: [VirtualTime.Sleeper])
    /// A timer whose period is not above zero ticked 100,000 times at one instant.
    case tooManyTicks(caller: SourcePlace)
    /// A condition is false, and no sleeper is left that could make it true.
    case nothingSleeps(caller: SourcePlace)
    /// The body waits for an event that nothing in the scope will cause. `waiting` describes the
    /// tasks that wait.
    case deadlock(waiting: [String])
    /// The scope made no progress for its limit of real time. `waiting` describes the tasks that
    /// run, that wait, or that are inside a call of `Time.hold`.
    case stalled(after: Duration, waiting: [String])
    /// A scope was to begin at, or advance to, a date that is NaN or infinite.
    case noInstant
    /// The argument `limit` or the argument `patience` of a scope was not above zero.
    case noLimit
  }

  private let cause: Cause

  package init(_ cause: Cause) { self.cause = cause }

  /// The kind of the failure.
  public var code: Code {
    switch cause {
    case .outsideScope: .outsideScope
    case .ended: .ended
    case .negativeSleepers, .noInstant, .noLimit: .invalidArgument
    case .backwards: .backwards
    case .missingSleepers: .missingSleepers
    case .endless: .endless
    case .nothingSleeps: .nothingSleeps
    case .tooManyTicks: .tooManyTicks
    case .deadlock: .deadlock
    case .stalled: .stalled
    }
  }

  /// Descriptions of the parts of the scope; empty for codes other than ``Code/deadlock`` and
  /// ``Code/stalled``.
  ///
  /// They describe the body, the tasks of `Time.task`, the task that runs, the open holds and
  /// advances, the sleeps, and up to ten tasks of `Time.task` that ended with an error. A task that
  /// sleeps may be listed twice.
  public var waiting: [String] {
    switch cause {
    case .deadlock(let waiting), .stalled(_, let waiting): waiting
    default: []
    }
  }

  /// The tasks that sleep; empty for codes other than ``Code/missingSleepers`` and
  /// ``Code/endless``.
  public var sleepers: [VirtualTime.Sleeper] {
    switch cause {
    case .missingSleepers(_, _, let sleepers, _), .endless(_, let sleepers): sleepers
    default: []
    }
  }

  /// The failure, and advice.
  public var description: String {
    switch cause {
    case .outsideScope:
      """
      there is no virtual time here; open a scope with Time.virtual(from:), or give the test the \
      trait .virtualTime(from:). Detached tasks, Dispatch and threads leave the scope: carry it \
      there with AmbientScope.capture()
      """
    case .ended(let caller):
      "\(caller) advances a scope of virtual time that has ended; advance it in the scope's body"
    case .backwards(let now, let date):
      """
      virtual time cannot go back from \(now.iso8601()) to \(date.iso8601()); to set only the wall \
      clock back, use step(wall:)
      """
    case .negativeSleepers(let sleepers, let caller):
      "\(caller) advances time with sleepers: \(sleepers); use 0 or more"
    case .missingSleepers(let caller, let expected, let sleepers, let limit):
      """
      \(caller) waited \(limit) of real time for \(expected.with("sleeper")), but found \
      \(sleepers.count)\(sleepers.isEmpty ? "" : ": ")\(Self.list(sleepers.map(\.description))). \
      Before each step of an advance, and at the end of the advance, at least that number of tasks \
      must be asleep on Time (Time.sleep, Time.timer, clock: Time.clock()). For a task that sleeps \
      only once, call advance(by: .zero, sleepers:), then advance(by:), and await the task
      """
    case .endless(let firings, let sleepers):
      """
      after \(firings.with("wake-up")), tasks still sleep: \(Self.list(sleepers.map(\.description))). \
      Advance by a duration, or end the loops that repeat
      """
    case .tooManyTicks(let caller):
      """
      the timer at \(caller) ticked 100000 times at one instant, because its period is not above \
      zero, so virtual time cannot pass; give it a period, or let its loop sleep
      """
    case .nothingSleeps(let caller):
      """
      \(caller) waits for a condition that is false, but no sleeping task is left that could make it \
      true; start such a task before the wait
      """
    case .deadlock(let waiting):
      """
      deadlock: no task in the scope runs, advances time or is in Time.hold { }, and these wait: \
      \(Self.list(waiting)). If one of these waits for work outside the scope (a server, a file), \
      set a longer patience:, or let virtual time wait for the work. \
      \(BareTasks.cure(isHeld: BareTasks.areHeld))
      """
    case .stalled(let limit, let waiting):
      """
      stalled: virtual time did not pass for \(limit) of real time, and no task that waits for time \
      made progress. Still open: \(Self.list(waiting)). In loops, sleep (Time.sleep, above zero) instead of yielding; \
      block no thread, and put no Time.hold around a child that sleeps; or set a longer limit
      """
    case .noInstant:
      """
      virtual time cannot begin at or advance to a date that is NaN or infinite; check how it was \
      computed
      """
    case .noLimit:
      "a scope of virtual time needs a limit and a patience above zero, such as .seconds(10)"
    }
  }

  static func list(_ items: [String]) -> String {
    let shown = items.prefix(20).joined(separator: "; ")
    return items.count > 20 ? "\(shown); and \(items.count - 20) more" : shown
  }
}
