#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One sleep in virtual time: who waits, since when and until when.
public struct Sleeper: Hashable, Sendable, CustomStringConvertible {
  /// Who sleeps.
  public let caller: SourcePlace
  /// The name of the task that sleeps, if it has one.
  public let task: String?
  /// The monotonic time at which the sleep began.
  public let start: Duration
  /// The monotonic time until which it lasts.
  public let deadline: Duration
  /// The wall time until which it lasts, as it was foreseen when it began.
  public let date: Date

  /// How long the sleep lasts.
  public var duration: Duration { deadline - start }

  /// Who sleeps, how long and until when.
  public var description: String {
    let name = task.map { " in task “\($0)”" } ?? ""
    return "\(caller)\(name) sleeps for \(duration) until \(date.iso8601())"
  }
}
