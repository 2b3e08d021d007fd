#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The time of day and the time that passes: an ambient context whose default is the system's.
///
/// ```swift
/// let placed = Time.now                         // a Date
/// try Time.freeze(at: "2026-11-27T00:00:00Z") { … }
/// ```
///
/// Wall time (``now``) answers "what date is it" and may be set back; monotonic time (``uptime``)
/// answers "how long did it take" and never goes back. Ask at each use; do not keep an answer.
///
/// Subclasses override the two instance properties. Safe to use from any thread.
open class Time: @unchecked Sendable {
  static let context = AmbientContext<Time>("Time") { DefaultTime() }

  /// The time in force here. Assign it at the start of the program, or in a scope.
  public static var instance: Time {
    get { context.instance }
    set { context.instance = newValue }
  }

  /// The wall time in force here.
  public static var now: Date { context.withService { $0.now } }

  /// The monotonic time in force here, since an arbitrary origin.
  public static var uptime: Duration { context.withService { $0.uptime } }

  /// Runs `body` with `time` bound for this task and those that it starts.
  public static func withInstance<R, E: Error>(
    _ time: Time, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try context.withInstance(time, body)
  }

  /// Runs `body` with `time` bound for this task and those that it starts.
  public static func withInstance<R, E: Error>(
    _ time: Time, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await context.withInstance(time, body)
  }

  /// Makes a time that is the system's, for subclasses to change.
  public init() {}

  /// The wall time.
  open var now: Date { SystemClock.wall() }

  /// The monotonic time since an arbitrary origin; it also passes while the machine sleeps.
  open var uptime: Duration { SystemClock.monotonic() }
}
