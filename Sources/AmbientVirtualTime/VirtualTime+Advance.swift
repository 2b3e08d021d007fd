// SPDX-License-Identifier: Apache-2.0

internal import Ambient
public import AmbientSystem

extension VirtualTime {
  /// Advances time by `duration`; each sleeper wakes at its own deadline.
  ///
  /// Returns when all woken tasks wait again. Time stops at each deadline on the way, including
  /// those of sleeps that begin meanwhile. An advance that begins during an earlier advance
  /// waits until the earlier advance has ended.
  ///
  /// Pass `sleepers` if code outside the scope also sleeps, for example on a Dispatch queue. The
  /// scope cannot know that such code is about to sleep. So the advance waits, before each step and
  /// at the end, until at least `sleepers` tasks sleep. For code that sleeps only once, wait for
  /// its sleep with `advance(by: .zero, sleepers: 1)`, then advance without `sleepers`, and await
  /// the task.
  ///
  /// - Parameters:
  ///   - duration: The time to advance by; zero lets all tasks run that are ready or due now, until
  ///     they wait again, and passes no time.
  ///   - sleepers: The number of sleepers required before each step and at the end; zero or more.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: ``VirtualTimeError/Code/backwards`` if the duration is negative;
  ///   ``VirtualTimeError/Code/invalidArgument`` if `sleepers` is negative;
  ///   ``VirtualTimeError/Code/missingSleepers`` if fewer tasks than `sleepers` sleep when the
  ///   scope's limit of real time has passed; ``VirtualTimeError/Code/stalled`` if a `Time.hold` is
  ///   still open then; ``VirtualTimeError/Code/ended`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled, as it is when the scope stalls, or if the
  ///   scope ends during the advance.
  public func advance(
    by duration: Duration, sleepers: Int = 0, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    let caller = SourcePlace(fileID: fileID, line: line)
    try check(duration)
    guard sleepers >= 0 else {
      throw VirtualTimeError(.negativeSleepers(sleepers, caller: caller))
    }
    _ = try await scheduler.perform(.advance(duration), sleepers: sleepers, caller: caller)
  }

  /// Advances time until the wall clock shows `date`; each sleeper wakes at its own deadline.
  ///
  /// The end is determined when the advance begins. If ``step(wall:)`` moves the wall clock during
  /// the advance, the clock shows another date at the end.
  ///
  /// - Parameters:
  ///   - date: The wall time at the end of the advance.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: ``VirtualTimeError/Code/backwards`` if the wall clock already shows a later date
  ///   when the advance begins; ``VirtualTimeError/Code/invalidArgument`` if `date` is NaN or
  ///   infinite; ``VirtualTimeError/Code/stalled`` if a `Time.hold` is still open when the scope's
  ///   limit of real time has passed; ``VirtualTimeError/Code/ended`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled, as it is when the scope stalls, or if the
  ///   scope ends meanwhile.
  public func advance(
    to date: Date, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    guard date.timeIntervalSinceReferenceDate.isFinite else { throw VirtualTimeError(.noInstant) }
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.reach(date), caller: caller)
  }

  /// Advances time until the wall clock shows the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The wall time at the end of the advance, with its offset from UTC.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: `ISO8601Error` if the text is not an instant; otherwise, the errors of the method
  ///   that takes a date.
  public func advance(
    to text: String, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try await advance(to: Date(iso8601: text), fileID: fileID, line: line)
  }

  /// Advances time by `duration` in one step, as if the machine were suspended; sleepers wake late.
  ///
  /// All woken tasks see the time after the jump; they wake in the order of their deadlines.
  ///
  /// - Parameters:
  ///   - duration: How long the machine seems to have been suspended.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: ``VirtualTimeError/Code/backwards`` if the duration is negative;
  ///   ``VirtualTimeError/Code/stalled`` if a `Time.hold` is still open when the scope's limit of
  ///   real time has passed; ``VirtualTimeError/Code/ended`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled, as it is when the scope stalls, or if the
  ///   scope ends meanwhile.
  public func jump(
    by duration: Duration, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    try check(duration)
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.jump(duration), caller: caller)
  }

  /// Advances time until no task sleeps, or only background tasks sleep.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of sleepers to wake; a limit of zero or less wakes none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  /// - Throws: ``VirtualTimeError/Code/endless`` if a task other than a background task still
  ///   sleeps after `limit` wake-ups, which include those of background tasks;
  ///   ``VirtualTimeError/Code/stalled`` if a `Time.hold` is still open when the scope's limit of
  ///   real time has passed; ``VirtualTimeError/Code/ended`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled, as it is when the scope stalls, or if the
  ///   scope ends meanwhile.
  public func run(
    limit: Int = 100_000, fileID: String = #fileID, line: UInt = #line
  ) async throws {
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.exhaust(limit), caller: caller)
  }

  /// Advances time, one sleeper after another, until a condition holds.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of sleepers to wake; a limit of zero or less wakes none.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - condition: Called at the start and after each wake-up, when all tasks of the scope wait.
  /// - Throws: ``VirtualTimeError/Code/nothingSleeps`` if the condition is false and no task
  ///   sleeps; ``VirtualTimeError/Code/endless`` if the condition is still false after `limit`
  ///   wake-ups; ``VirtualTimeError/Code/stalled`` if a `Time.hold` is still open when the scope's
  ///   limit of real time has passed; ``VirtualTimeError/Code/ended`` after the end of the scope;
  ///   `CancellationError` if the task is cancelled, as it is when the scope stalls, or if the
  ///   scope ends meanwhile; errors of the condition.
  public func run(
    limit: Int = 100_000, fileID: String = #fileID, line: UInt = #line,
    until condition: nonisolated(nonsending) () async throws -> Bool
  ) async throws {
    let caller = SourcePlace(fileID: fileID, line: line)
    _ = try await scheduler.perform(.settle, caller: caller)
    for _ in 0..<max(0, limit) {
      if try await condition() { return }
      guard try await scheduler.perform(.step, caller: caller) else {
        throw VirtualTimeError(.nothingSleeps(caller: caller))
      }
    }
    guard try await !condition() else { return }
    let sleepers = sleepers
    throw VirtualTimeError(
      sleepers.isEmpty
        ? .nothingSleeps(caller: caller) : .endless(firings: limit, sleepers: sleepers))
  }

  private func check(_ duration: Duration) throws(VirtualTimeError) {
    guard duration < .zero else { return }
    let date = now
    throw VirtualTimeError(.backwards(from: date, to: date.advanced(by: duration)))
  }
}
