#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One sleep in virtual time: its caller, start and deadline.
public struct Sleeper: Hashable, Sendable, CustomStringConvertible {
  /// The caller of the sleep.
  public let caller: SourcePlace
  /// The name of the sleeping task, if it has one.
  public let task: String?
  /// The monotonic time at which the sleep began.
  public let start: Duration
  /// The monotonic time at which it ends.
  public let deadline: Duration
  /// The wall time at which it ends, as foreseen at its start.
  public let date: Date

  /// The duration of the sleep.
  public var duration: Duration { deadline - start }

  /// The caller, the duration and the deadline.
  public var description: String {
    let name = task.map { " in task “\($0)”" } ?? ""
    return "\(caller)\(name) sleeps for \(duration) until \(date.iso8601())"
  }
}
