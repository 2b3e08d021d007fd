#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VirtualTime {
  /// Lets `duration` pass, and wakes who is due, each at its own time.
  ///
  /// Returns when all that was woken waits again. Time stops at each deadline on the way, those of
  /// sleeps that begin on the way included. An advance while another runs waits its turn.
  ///
  /// - Throws: ``VirtualTimeError/backwards(from:to:)`` if the duration is negative;
  ///   ``VirtualTimeError/stalled(after:waiting:)`` if it waits in vain for the scope's limit of
  ///   real time; ``VirtualTimeError/ended(caller:)`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled.
  public func advance(
    by duration: Duration, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await advance(by: duration, sleepers: 0, fileID: fileID, line: line)
  }

  /// Lets `duration` pass where foreign code sleeps: before each step, waits until so many sleep.
  ///
  /// For code that runs where the scope does not see it, on a queue of Dispatch for example: the
  /// scope cannot know that such code is about to sleep, but it can be told to wait for it. So that
  /// the last step is complete too, that many must sleep at the end. For code that sleeps once, and
  /// so not at the end, wait with `advance(by: .zero, sleepers: 1)` until it sleeps, then use
  /// ``advance(by:fileID:line:)``, and await the task.
  ///
  /// - Parameters:
  ///   - duration: How much time passes.
  ///   - sleepers: How many sleep, in all, when each step begins and at the end; zero or more.
  /// - Throws: ``VirtualTimeError/missingSleepers(caller:expected:sleepers:after:)`` if they do not
  ///   for the scope's limit of real time; ``VirtualTimeError/stalled(after:waiting:)`` if it waits
  ///   so long for a hold; ``VirtualTimeError/backwards(from:to:)`` if the duration is negative;
  ///   ``VirtualTimeError/negativeSleepers(_:caller:)`` if the number is;
  ///   ``VirtualTimeError/ended(caller:)`` after the end of the scope; `CancellationError` if
  ///   the task is cancelled.
  public func advance(
    by duration: Duration, sleepers: Int, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    let caller = SourcePlace(fileID: fileID, line: line)
    try check(duration)
    guard sleepers >= 0 else {
      throw VirtualTimeError.negativeSleepers(sleepers, caller: caller)
    }
    _ = try await scheduler.perform(.advance(duration), sleepers: sleepers, caller: caller)
  }

  /// Lets time pass until the wall shows `date`, and wakes who is due, each at its own time.
  ///
  /// - Throws: ``VirtualTimeError/backwards(from:to:)`` if that is past when its turn comes;
  ///   ``VirtualTimeError/noInstant`` if it is not a number, or infinite;
  ///   ``VirtualTimeError/stalled(after:waiting:)`` if it waits in vain for the scope's limit of
  ///   real time; ``VirtualTimeError/ended(caller:)`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled.
  public func advance(
    to date: Date, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    guard date.timeIntervalSinceReferenceDate.isFinite else { throw VirtualTimeError.noInstant }
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.reach(date), caller: caller)
  }

  /// Lets time pass until the wall shows the instant that `text` denotes in ISO 8601.
  ///
  /// - Throws: ``ISO8601Error`` if the text is no instant; else as with a date.
  public func advance(
    to text: String, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await advance(to: Date(iso8601: text), fileID: fileID, line: line)
  }

  /// Lets `duration` pass at once, as while the machine is suspended: who is due wakes late.
  ///
  /// All who wake see the time after the jump; they wake in the order of their deadlines.
  ///
  /// - Throws: ``VirtualTimeError/backwards(from:to:)`` if the duration is negative;
  ///   ``VirtualTimeError/stalled(after:waiting:)`` if it waits in vain for the scope's limit of
  ///   real time; ``VirtualTimeError/ended(caller:)`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled.
  public func jump(
    by duration: Duration, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try check(duration)
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.jump(duration), caller: caller)
  }

  /// Lets time pass until nothing sleeps any more, but for background tasks.
  ///
  /// - Parameter limit: How many sleepers may be woken; none if it is negative.
  /// - Throws: ``VirtualTimeError/endless(firings:sleepers:)`` if something still sleeps then;
  ///   ``VirtualTimeError/stalled(after:waiting:)`` if it waits in vain for the scope's limit of
  ///   real time; ``VirtualTimeError/ended(caller:)`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled.
  public func run(
    limit: Int = 100_000, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.exhaust(limit), caller: caller)
  }

  /// Lets time pass, one sleeper after another, until a condition holds.
  ///
  /// - Parameters:
  ///   - limit: How many sleepers may be woken; none if it is negative.
  ///   - condition: Asked whenever all in the scope wait.
  /// - Throws: ``VirtualTimeError/nothingSleeps(caller:)`` if the condition is false and nothing
  ///   sleeps; ``VirtualTimeError/endless(firings:sleepers:)`` if it is false after so many wakes;
  ///   ``VirtualTimeError/stalled(after:waiting:)`` if it waits in vain for the scope's limit of
  ///   real time; ``VirtualTimeError/ended(caller:)`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled; what the condition throws.
  public func run(
    limit: Int = 100_000, fileID: String = #fileID, line: UInt = #line,
    until condition: nonisolated(nonsending) () async throws -> Bool
  ) async throws {
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.settle, caller: caller)
    for _ in 0..<max(0, limit) {
      if try await condition() { return }
      guard try await scheduler.perform(.step, caller: caller) else {
        throw VirtualTimeError.nothingSleeps(caller: caller)
      }
    }
    guard try await condition() else {
      throw VirtualTimeError.endless(firings: limit, sleepers: sleepers)
    }
  }

  private func check(_ duration: Duration) throws(VirtualTimeError) {
    guard duration < .zero else { return }
    let date = now
    throw .backwards(from: date, to: date.advanced(by: duration))
  }
}
