// SPDX-License-Identifier: Apache-2.0

public import Ambient
public import AmbientSystem

extension Time {
  /// Runs `body` in virtual time, which starts at `date` and passes only while all tasks wait.
  ///
  /// The body, its child tasks, the tasks of `Time.task`, and the actors that they call, except
  /// those with their own executor, belong to the scope. In a test program, bare tasks (`Task { }`)
  /// and the jobs of the main actor also belong to it. When all tasks of the scope are suspended,
  /// no task awaits an ``VirtualTime/advance(by:sleepers:fileID:line:)``, and no `Time.hold` is
  /// open, time passes to the deadline of the next sleeper by itself. The scope does not see work
  /// of Dispatch and I/O: wrap such work in `Time.hold`.
  ///
  /// The order of events is the same in each run of one build. Another build may have a different
  /// order, because a compiler may merge steps of a task that run separately in other builds. A
  /// loop over a set or a dictionary has a different order in each process, unless
  /// `SWIFT_DETERMINISTIC_HASHING=1` is set.
  ///
  /// When the body returns or throws, sleeping tasks are woken with `CancellationError`, and are
  /// reported to `Diagnostics`. The other tasks of `Time.task` are reported if they do not end
  /// before the scope. Background tasks, and sleeps of `Task.sleep`, are not reported. Under the
  /// trait `.virtualTime(from:)`, each report is an issue of the test. If tasks leave the scope
  /// without a hold while other tasks sleep, only the first task that left is reported. A sleep
  /// that begins after the end of the scope takes its duration in real time. If the calling task
  /// was cancelled, the tasks of `Time.task` are cancelled, and no remaining task is reported.
  ///
  /// - Parameters:
  ///   - date: The wall time at the start. The monotonic time starts at zero.
  ///   - advances: Whether time also passes by itself, or only by calls that advance it.
  ///   - seed: The seed of the scope's identifiers, random numbers and delays.
  ///   - limit: The real time after which a scope is stalled, if neither virtual time nor any task
  ///     that waits for it makes progress. Above zero, rounded up to steps of 50 ms; nil for 10
  ///     seconds.
  ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
  ///     scope will wake any of them; also the wait before time passes to a timeout while only
  ///     timeouts and background tasks sleep. Above zero, rounded up to steps of 50 ms; nil for 200
  ///     ms.
  ///   - systemClocks: Whether `Task.sleep`, `ContinuousClock`, `SuspendingClock` and `Date()` also
  ///     show and obey the scope's time, in the code of any library. Swift's clocks begin at their
  ///     real readings. In a `Time.hold`, they are real.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The work of the scope's first task, which runs on the scope's executor.
  /// - Throws: ``VirtualTimeError/Code/deadlock`` if all tasks of the scope are suspended for
  ///   `patience`, no hold is open, no task awaits an advance, and virtual time does not pass by
  ///   itself (for example, because no task sleeps). ``VirtualTimeError/Code/stalled`` if the scope
  ///   makes no progress for `limit`; a call that awaits an advance may throw first. In both cases,
  ///   the body and the tasks of `Time.task` are cancelled. If the body then throws an error other
  ///   than `CancellationError`, that error is thrown instead, and a deadlock is reported to
  ///   `Diagnostics`, as a stall always is. A body that ignores its cancellation is abandoned, and
  ///   may still run after this method has thrown.
  ///   ``VirtualTimeError/Code/invalidArgument`` if the limit or the patience is not above zero, or
  ///   if the date is NaN or infinite. ``SystemClocksError`` if `systemClocks` is true and
  ///   ``VirtualTime/hasSystemClocks`` is false. Otherwise, an error that `body` throws.
  public static func virtual<R: Sendable>(
    from date: Date, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
    limit: Duration? = nil, patience: Duration? = nil,
    systemClocks: Bool = false, fileID: String = #fileID, line: UInt = #line,
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) async throws -> R {
    if systemClocks { try SystemClocks.requireClocks() }
    let time = VirtualTime(
      from: date, seed: seed, advances: advances, limit: limit, patience: patience,
      starts: systemClocks ? ClockStarts() : nil)
    let place = SourcePlace(fileID: fileID, line: line)
    let (result, leftovers, _) = await time.run(at: place, mayLeave: true, body) { finding in
      switch finding {
      case .report(let kind, let text), .hint(let kind, let text):
        Diagnostics.report(kind, source: "Time.virtual", "\(text).")
      case .replaced(let error):
        Diagnostics.report(.stalled, source: "Time.virtual", error.description)
      case .error: break  // `result.get()` throws it.
      }
    }
    for leftover in leftovers {
      Diagnostics.report(.leftover, source: "Time.virtual", "\(leftover)")
    }
    return try result.get()
  }

  /// Runs `body` in virtual time, which starts at the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The wall time at the start, with its offset from UTC.
  ///   - advances: Whether time also passes by itself, or only by calls that advance it.
  ///   - seed: The seed of the scope's identifiers, random numbers and delays.
  ///   - limit: The real time after which a scope without progress is stalled. Above zero; nil for
  ///     10 seconds.
  ///   - patience: The real time after which a scope is in a deadlock. Above zero; nil for 200 ms.
  ///   - systemClocks: Whether `Task.sleep`, Swift's clocks and `Date()` obey the scope, too.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The work of the scope's first task, which runs on the scope's executor.
  /// - Throws: `ISO8601Error` if the text is not an instant, or an error that the overload with a
  ///   date throws.
  public static func virtual<R: Sendable>(
    from text: String, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
    limit: Duration? = nil, patience: Duration? = nil,
    systemClocks: Bool = false, fileID: String = #fileID, line: UInt = #line,
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) async throws -> R {
    try await virtual(
      from: Date(iso8601: text), advances: advances, seed: seed, limit: limit, patience: patience,
      systemClocks: systemClocks, fileID: fileID, line: line, body)
  }
}

@available(*, unavailable, message: "write Time.virtual(from: date) { time in … }")
extension Time {
  public static func virtual<R>(
    _: Any..., at: Any = 0, body: (VirtualTime) async throws -> R
  ) -> R { fatalError() }
  public static func virtual<R>(_: Any?..., body: () async throws -> R) -> R { fatalError() }
  public static func virtual(_: (any CustomStringConvertible)?..., from: Any = 0, at: Any = 0) {}
}
