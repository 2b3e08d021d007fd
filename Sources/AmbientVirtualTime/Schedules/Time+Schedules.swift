// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import AmbientSystem

extension Time {
  /// Runs `body` in virtual time, first as `Time.virtual(from:)` does, and then in many schedules:
  /// orders in which its tasks can run.
  ///
  /// Stops at the first schedule in which the body fails. If the first run fails, no schedule runs.
  ///
  /// In each schedule, time, tasks and identifiers start over, and the body runs in its own scope.
  /// The body fails if it throws, if it leaves tasks behind, if a task leaves the scope without
  /// `Time.hold`, if a background task throws an error other than `CancellationError` before it is
  /// cancelled, or if it is in a deadlock or stalls. The schedule is then shrunk, and reported to
  /// `Diagnostics` with its number and a table of the order of tasks. If the schedule stalls, or
  /// does not fail again in the same way, it is reported without being shrunk. With the same
  /// arguments, a number denotes the same schedule in each process of one build.
  ///
  /// Contexts that the caller has assigned are the same in all schedules. In a test, use the trait
  /// `.virtualTime(from:schedules:)`: it creates the contexts of other traits again for each
  /// schedule, and a failed expectation fails its schedule. Here, it does not.
  ///
  /// In the explored schedules, sleepers that are due together wake together, except in
  /// `run(until:)`. A schedule with more than 100 times as many jobs as the first run, and more
  /// than 100,000, is given up. After five such schedules, the search ends. If no schedule fails,
  /// the search reports the schedules that it gave up.
  ///
  /// - Parameters:
  ///   - date: The wall time at the start.
  ///   - count: The number of schedules, above zero; they have the numbers from 1 on. The
  ///     environment variable `AMBIENT_SCHEDULES` sets another number, or numbers as `1001...2000`;
  ///     `AMBIENT_SCHEDULE` runs one schedule alone, after the first run.
  ///   - pinned: The numbers of schedules that run before the others.
  ///   - advances: Whether time also passes by itself, or only by calls that advance it.
  ///   - seed: The seed of identifiers, random numbers and delays, the same in each schedule.
  ///   - limit: The real time after which a schedule without progress is stalled. Above zero; nil
  ///     for 10 seconds.
  ///   - patience: The real time after which a schedule is in a deadlock. Above zero; nil for
  ///     200 ms. The search does not wait for it, but a deadlock is reported only after a run that
  ///     does.
  ///   - systemClocks: Whether `Task.sleep`, Swift's clocks and `Date()` obey the scope, too.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The work of the scope's first task.
  /// - Returns: The result of the first run or, if a schedule fails without an error, of that one.
  /// - Throws: ``ScheduleError`` if a number is below one, if an environment variable is malformed,
  ///   or if this exploration is inside another one. ``SystemClocksError`` if `systemClocks` is
  ///   true and ``VirtualTime/hasSystemClocks`` is false. ``VirtualTimeError/Code/invalidArgument``
  ///   if the limit or the patience is not above zero, or if the date is NaN or infinite.
  ///   `CancellationError` if the search is cancelled after the first run, unless it has found a
  ///   failure. The error of the first run, or of the schedule that fails, such as
  ///   ``VirtualTimeError/Code/deadlock``. If that schedule fails without an error (for example, it
  ///   leaves tasks behind), nothing is thrown.
  public static func virtual<R: Sendable>(
    from date: Date, schedules count: Int, replaying pinned: [Int] = [],
    advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
    limit: Duration? = nil, patience: Duration? = nil,
    systemClocks: Bool = false, fileID: String = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (VirtualTime) async throws -> R
  ) async throws -> R {
    if systemClocks { try SystemClocks.requireClocks() }
    let starts = systemClocks ? ClockStarts() : nil
    let place = SourcePlace(fileID: fileID, line: line)
    let search = try ScheduleSearch(ScheduleNumbers(count, replaying: pinned)) { run in
      let time = VirtualTime(
        from: date, seed: seed, advances: advances, limit: limit, patience: patience,
        starts: starts, run: run)
      let reports = Guarded<[(diagnostic: Diagnostic, isHint: Bool)]>([])
      let report = { @Sendable (kind: Diagnostic.Kind, text: String, isHint: Bool) in
        reports.withLock { $0.append((Diagnostic(kind, source: "Time.virtual", text), isHint)) }
      }
      let (result, leftovers, _) = await time.run(at: place, mayLeave: true, body) { finding in
        switch finding {
        case .report(let kind, let text): report(kind, "\(text).", false)
        case .replaced(let error): report(.stalled, error.description, false)
        case .hint(let kind, let text): report(kind, "\(text).", true)
        case .error: break  // It is thrown.
        }
      }
      for leftover in leftovers { report(.leftover, leftover, false) }
      let outcome = ScheduleOutcome(result: result, reports: reports.withLock { $0 })
      let trace = time.trace
      return ScheduleAttempt(isFailure: outcome.isFailure && !trace.isCutOff, trace, outcome)
    }
    switch await search.run() {
    case .first(let outcome): return try outcome.reported()
    case .none(let outcome, let report):
      try Task.checkCancellation()
      if let report { Self.report(.stalled, "\(place): \(report).") }
      return try outcome.reported()
    case .failed(_, let outcome, let report):
      Self.report(.failedSchedule, "\(place) \(report)")
      return try outcome.reported()
    case .failedOnce(let outcome, let report):
      Self.report(.failedSchedule, "\(place): \(report).")
      return try outcome.reported()
    }
  }

  /// Runs `body` in virtual time and in many schedules, from the instant that `text` denotes in ISO
  /// 8601.
  ///
  /// - Parameters:
  ///   - text: The wall time at the start, with its offset from UTC.
  ///   - count: The number of schedules, above zero.
  ///   - pinned: The numbers of schedules that run before the others.
  ///   - advances: Whether time also passes by itself, or only by calls that advance it.
  ///   - seed: The seed of identifiers, random numbers and delays, the same in each schedule.
  ///   - limit: The real time after which a schedule without progress is stalled. Above zero; nil
  ///     for 10 seconds.
  ///   - patience: The real time after which a schedule is in a deadlock. Above zero; nil for
  ///     200 ms.
  ///   - systemClocks: Whether `Task.sleep`, Swift's clocks and `Date()` obey the scope, too.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The work of the scope's first task.
  /// - Returns: The result of the first run or, if a schedule fails without an error, of that one.
  /// - Throws: `ISO8601Error` if the text is not an instant, or an error that the overload with a
  ///   date throws.
  public static func virtual<R: Sendable>(
    from text: String, schedules count: Int, replaying pinned: [Int] = [],
    advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
    limit: Duration? = nil, patience: Duration? = nil,
    systemClocks: Bool = false, fileID: String = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (VirtualTime) async throws -> R
  ) async throws -> R {
    try await virtual(
      from: Date(iso8601: text), schedules: count, replaying: pinned, advances: advances,
      seed: seed, limit: limit, patience: patience, systemClocks: systemClocks, fileID: fileID,
      line: line, body)
  }

  private static func report(_ kind: Diagnostic.Kind, _ text: String) {
    Diagnostics.report(kind, source: "Time.virtual", text)
  }
}

/// The result or error of a body in a schedule, and the reports of its scope.
private struct ScheduleOutcome<R: Sendable>: Sendable {
  let result: Result<R, any Error>
  let reports: [(diagnostic: Diagnostic, isHint: Bool)]

  /// Whether the body has failed. A hint is not a failure.
  var isFailure: Bool {
    if case .failure = result { return true }
    return reports.contains { !$0.isHint }
  }

  /// Makes the reports, and returns or throws what the body did.
  func reported() throws -> R {
    for (report, _) in reports {
      Diagnostics.report(report.kind, source: report.source, report.message)
    }
    return try result.get()
  }
}
