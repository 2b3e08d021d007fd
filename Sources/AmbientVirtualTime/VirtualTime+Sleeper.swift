// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import AmbientSystem

extension VirtualTime {
  /// One sleep in virtual time: its caller, start and deadline.
  public struct Sleeper: Hashable, Sendable, CustomStringConvertible {
    /// The caller of the sleep; for a sleep of `Task.sleep`, its file is `Task.sleep`.
    public let caller: SourcePlace
    /// The name of the sleeping task, if it has one; always nil before macOS 26 and iOS 26.
    public let task: String?
    /// The monotonic time at which the sleep began.
    public let start: Duration
    /// The monotonic time at which the sleep is due.
    ///
    /// The sleep ends earlier if its task is cancelled or the scope ends, and later if a jump
    /// passes the deadline.
    public let deadline: Duration
    /// The wall time at which the sleep is due, as predicted at its start.
    public let date: Date
    /// The return addresses of the functions that called `Task.sleep`; empty for a sleep of `Time`,
    /// whose caller is known.
    let callers: [UInt]

    /// The duration of the sleep, from its start to its deadline.
    public var duration: Duration { deadline - start }

    /// The caller, the name of the task if it has one, the duration, and the date of the deadline.
    ///
    /// For a sleep of `Task.sleep`, the text also names the function that called it, if the program
    /// has symbols. To look up that name takes time.
    public var description: String {
      "\(call) sleeps for \(duration) until \(date.iso8601())"
    }

    /// The report of a sleep that the end of its scope cancelled.
    var leftover: String {
      """
      \(self), but its scope ended first; the sleep was cancelled. Await the task in the scope's \
      body, or cancel it.
      """
    }

    /// The call, for a report. Do not ask for it under the lock of a scope: a look-up takes time.
    var call: String {
      let trace = CallerTrace(callers)
      let names = callers.isEmpty ? nil : CallerTrace.Names(of: [trace])
      let function = names?.nearest(trace).first.map { " (\($0))" } ?? ""
      let name = task.map { " in task “\($0.escaped)”" } ?? ""
      return "\(caller)\(function)\(name)"
    }
  }
}
