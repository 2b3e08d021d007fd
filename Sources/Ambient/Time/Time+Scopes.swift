public import AmbientSystem

extension Time {
  /// Runs `body` where time stands still at `date`.
  ///
  /// - Parameters:
  ///   - date: The value of `Time.now` in the whole block. Monotonic time also stands still, at its
  ///     value around the block, moved by as much as the wall time is.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func freeze<R, E: Error>(
    at date: Date, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(frozen(at: date), body)
  }

  /// Runs `body` where time stands still at `date`.
  ///
  /// - Parameters:
  ///   - date: The value of `Time.now` in the whole block. Monotonic time also stands still, at its
  ///     value around the block, moved by as much as the wall time is.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @inlinable
  public static func freeze<R, E: Error>(
    at date: Date, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(frozen(at: date), body)
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, whose result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @inlinable
  public static func freeze<R>(at text: String, _ body: () throws -> R) throws -> R {
    try freeze(at: Date(iso8601: text), body)
  }

  /// Runs `body` where time stands still at the instant that `text` denotes in ISO 8601.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @inlinable
  public static func freeze<R>(
    at text: String, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await freeze(at: Date(iso8601: text), body)
  }

  @usableFromInline
  static func frozen(at date: Date) -> FixedTime { FixedTime(at: date, within: context.assigned) }
}

extension Time {
  /// Runs `body` with the wall clock set to `date`. Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - date: `Time.now` at the beginning of the block; monotonic time jumps as far as the wall
  ///     clock does.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func travel<R, E: Error>(
    to date: Date, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(travelled(to: date), body)
  }

  /// Runs `body` with the wall clock set to `date`. Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - date: `Time.now` at the beginning of the block; monotonic time jumps as far as the wall
  ///     clock does.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @inlinable
  public static func travel<R, E: Error>(
    to date: Date, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(travelled(to: date), body)
  }

  /// Runs `body` with the wall clock set to the instant that `text` denotes in ISO 8601. Time
  /// passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, whose result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @inlinable
  public static func travel<R>(to text: String, _ body: () throws -> R) throws -> R {
    try travel(to: Date(iso8601: text), body)
  }

  /// Runs `body` with the wall clock set to the instant that `text` denotes in ISO 8601. Time
  /// passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - text: The instant, with its offset from UTC, as in `2026-11-27T00:00:00-05:00`.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that `body` throws.
  @inlinable
  public static func travel<R>(
    to text: String, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await travel(to: Date(iso8601: text), body)
  }

  /// Runs `body` with the wall clock and the monotonic clock moved by `offset`. A negative offset
  /// moves them backwards. Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - offset: The offset from the time outside; `.seconds(-3_600)` is an hour ago.
  ///   - body: The block, whose result is returned and whose error is thrown.
  @inlinable
  public static func travel<R, E: Error>(
    by offset: Duration, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try withInstance(travelled(by: offset), body)
  }

  /// Runs `body` with the wall clock and the monotonic clock moved by `offset`. A negative offset
  /// moves them backwards. Time passes as it does outside the block.
  ///
  /// - Parameters:
  ///   - offset: The offset from the time outside; `.seconds(-3_600)` is an hour ago.
  ///   - body: The block, with the isolation of the caller; its result is returned, its error is
  ///     thrown.
  @inlinable
  public static func travel<R, E: Error>(
    by offset: Duration, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await withInstance(travelled(by: offset), body)
  }

  @usableFromInline
  static func travelled(to date: Date) -> OffsetTime {
    let base = instance
    return OffsetTime(of: base, by: date.sinceReferenceDate - base.wall)
  }

  @usableFromInline
  static func travelled(by offset: Duration) -> OffsetTime { OffsetTime(of: instance, by: offset) }
}

extension Time {
  /// Runs `body` with time that passes `factor` times as fast. A sleep ends when its duration has
  /// passed in this time.
  ///
  /// - Parameters:
  ///   - factor: The number of seconds that pass in one second outside the block. With 60, a minute
  ///     passes in a second.
  ///   - body: The block, whose result is returned.
  /// - Throws: ``TimeScaleError`` if the factor is not a number above zero, or an error that `body`
  ///   throws.
  @inlinable
  public static func scale<R>(by factor: Double, _ body: () throws -> R) throws -> R {
    try withInstance(scaled(by: factor), body)
  }

  /// Runs `body` with time that passes `factor` times as fast. A sleep ends when its duration has
  /// passed in this time.
  ///
  /// - Parameters:
  ///   - factor: The number of seconds that pass in one second outside the block. With 60, a minute
  ///     passes in a second.
  ///   - body: The block, with the isolation of the caller; its result is returned.
  /// - Throws: ``TimeScaleError`` if the factor is not a number above zero, or an error that `body`
  ///   throws.
  @inlinable
  public static func scale<R>(
    by factor: Double, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await withInstance(scaled(by: factor), body)
  }

  @usableFromInline
  static func scaled(by factor: Double) throws(TimeScaleError) -> ScaledTime {
    try ScaledTime(of: instance, by: factor)
  }
}

extension Time {
  /// Runs `body` in virtual time, which starts at `date` and passes only while all tasks wait. The
  /// order of events is deterministic.
  ///
  /// The body, its child tasks, the actors that they call, and the tasks of
  /// `Time.task` belong to the scope. In a test program, bare tasks
  /// (`Task { }`) and the jobs of the main actor also belong to it. When all tasks of the scope are
  /// suspended, and the body awaits no ``VirtualTime/advance(by:sleepers:fileID:line:)``, time
  /// passes to the deadline of the next sleeper by itself. The scope does not see work of Dispatch
  /// and I/O: wrap such work in ``hold(fileID:line:_:)``.
  ///
  /// The order of events is the same in each run of one build. Another build may have a different
  /// order, because a compiler may merge steps of a task that run separately in other builds. A
  /// loop over a set or a dictionary has a different order in each process, unless
  /// `SWIFT_DETERMINISTIC_HASHING=1` is set.
  ///
  /// When the body returns or throws, sleeping tasks are woken with `CancellationError`, and are
  /// reported to ``Diagnostics``. The other tasks of `Time.task` are
  /// reported if they do not end before the scope. Under the trait `.virtualTime(from:)`, each
  /// report is an issue of the test. If tasks leave the scope without a hold while other tasks
  /// sleep, only the first task that left is reported. A sleep that begins after the end of the
  /// scope takes its duration in real time. If the calling task was cancelled, the tasks are
  /// cancelled and not reported.
  ///
  /// - Parameters:
  ///   - date: The wall time at the start. The monotonic time starts at zero.
  ///   - advances: Whether time also passes by itself, or only by calls that advance it.
  ///   - seed: The seed of the scope's identifiers and random delays.
  ///   - limit: The real time after which a scope is stalled, if neither virtual time nor any task
  ///     that waits for it makes progress. Above zero.
  ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
  ///     scope will wake any of them; also the wait before time passes to a timeout while only
  ///     timeouts and background tasks sleep. Above zero, in steps of 50 ms.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The work of the scope's first task, which runs on the scope's executor.
  /// - Throws: ``VirtualTimeError/deadlock(waiting:)`` if all tasks of the scope are suspended for
  ///   `patience`, no hold is open, no task awaits an advance, and virtual time does not pass by
  ///   itself (for example, because no task sleeps). The task of the body is then cancelled.
  ///   ``VirtualTimeError/stalled(after:waiting:)`` if the scope makes no progress for `limit`.
  ///   ``VirtualTimeError/noLimit`` if the limit or the patience is not above zero.
  ///   ``VirtualTimeError/noInstant`` if the date is NaN or infinite. Otherwise, an error that
  ///   `body` throws.
  public static func virtual<R: Sendable>(
    from date: Date, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
    limit: Duration = VirtualTime.usualLimit, patience: Duration = VirtualTime.usualPatience,
    fileID: String = #fileID, line: UInt = #line,
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) async throws -> R {
    let time = VirtualTime(
      from: date, seed: seed, advances: advances, limit: limit, patience: patience)
    let place = SourcePlace(fileID: fileID, line: line)
    let (result, leftovers) = await time.run(at: place, mayLeave: true, body) { finding in
      // Errors are not reported here, because `result.get()` throws them.
      guard case .report(let kind, let text) = finding else { return }
      Diagnostics.report(kind, source: "Time.virtual", "\(text).")
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
  ///   - seed: The seed of the scope's identifiers and random delays.
  ///   - limit: The real time after which a scope without progress is stalled. Above zero.
  ///   - patience: The real time after which a scope is in a deadlock. Above zero.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The work of the scope's first task, which runs on the scope's executor.
  /// - Throws: ``ISO8601Error`` if the text is not an instant, or an error that the overload with a
  ///   date throws.
  public static func virtual<R: Sendable>(
    from text: String, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
    limit: Duration = VirtualTime.usualLimit, patience: Duration = VirtualTime.usualPatience,
    fileID: String = #fileID, line: UInt = #line,
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) async throws -> R {
    try await virtual(
      from: Date(iso8601: text), advances: advances, seed: seed, limit: limit, patience: patience,
      fileID: fileID, line: line, body)
  }
}
