#if canImport(Testing)
  internal import Ambient
  public import AmbientSystem
  public import AmbientVirtualTime
  internal import CAmbientTesting
  public import Testing

  extension Trait where Self == AmbientTrait {
    /// Gives each test ambient contexts of its own, in virtual time from `date`.
    ///
    /// `VirtualTime.current` is the test's virtual time. When the test ends, an issue is recorded
    /// for each task that still sleeps, and for each `Time.task` that has not ended. An issue is
    /// also recorded for the first task that leaves the scope without `Time.hold` while other tasks
    /// sleep. If the test is in a deadlock, or makes no progress for `limit`, an issue is recorded
    /// and the test is cancelled. A test that ignores its cancellation may go on without progress
    /// for a minute, or for the number of seconds in the environment variable
    /// `AMBIENT_TESTS_LIMIT` (0 means for ever). Then the program names the test, and ends.
    ///
    /// - Parameters:
    ///   - date: The wall time at the start.
    ///   - advances: Whether time also passes by itself, or only when the test advances it.
    ///   - seed: The seed of identifiers and random delays in the test.
    ///   - limit: The real time after which a test without progress is cancelled, with an issue.
    ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
    ///     scope will wake any of them; also the wait before time passes to a timeout while only
    ///     timeouts and background tasks sleep.
    ///   - systemClocks: Whether `Task.sleep`, `ContinuousClock`, `SuspendingClock` and `Date()`
    ///     also show and obey the test's time, in the code of any library. If the program cannot do
    ///     that (`VirtualTime.hasSystemClocks`), an issue is recorded, and the test does not run.
    public static func virtualTime(
      from date: Date, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
      limit: Duration = VirtualTime.usualLimit, patience: Duration = VirtualTime.usualPatience,
      systemClocks: Bool = false
    ) -> Self {
      Self { test, function in
        try await inVirtualTime(
          from: date, advances, seed, limit, patience, systemClocks, test, function)
      }
    }

    /// Gives each test ambient contexts of its own, in virtual time from an instant in ISO 8601. If
    /// the text is not such an instant, the test fails.
    ///
    /// - Parameters:
    ///   - text: The wall time at the start, with its offset from UTC.
    ///   - advances: Whether time also passes by itself, or only when the test advances it.
    ///   - seed: The seed of identifiers and random delays in the test.
    ///   - limit: The real time after which a test without progress is cancelled, with an issue.
    ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
    ///     scope will wake any of them; also the wait before time passes to a timeout while only
    ///     timeouts and background tasks sleep.
    ///   - systemClocks: Whether `Task.sleep`, `ContinuousClock`, `SuspendingClock` and `Date()`
    ///     also show and obey the test's time, in the code of any library. If the program cannot do
    ///     that (`VirtualTime.hasSystemClocks`), an issue is recorded, and the test does not run.
    public static func virtualTime(
      from text: String, advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
      limit: Duration = VirtualTime.usualLimit, patience: Duration = VirtualTime.usualPatience,
      systemClocks: Bool = false
    ) -> Self {
      Self { test, function in
        try await inVirtualTime(
          from: Date(iso8601: text), advances, seed, limit, patience, systemClocks, test, function)
      }
    }
  }

  private func inVirtualTime(
    from date: Date, _ advances: VirtualTime.Advances, _ seed: UInt64, _ limit: Duration,
    _ patience: Duration, _ systemClocks: Bool, _ test: Test,
    _ function: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    ambient_testing_keep()
    let location = test.sourceLocation
    let place = SourcePlace(fileID: location.fileID, line: UInt(location.line))
    if systemClocks { try SystemClocks.requireClocks() }
    let time = VirtualTime(
      from: date, seed: seed, advances: advances, limit: limit, patience: patience,
      systemClocks: systemClocks)
    let found = Guarded<[VirtualTimeError]>([])
    let (result, leftovers) = await time.run(
      at: place, mayLeave: false, { _ in try await function() },
      tell: { finding in
        switch finding {
        case .error(let error):
          found.withLock { $0.append(error) }
          Issue.record(error, sourceLocation: location)
        case .report(_, let text): Issue.record("\(text)", sourceLocation: location)
        case .hint(_, let text):
          Issue.record("\(text)", severity: .warning, sourceLocation: location)
        }
      })
    for leftover in leftovers { Issue.record("\(leftover)", sourceLocation: location) }
    do {
      try result.get()
    } catch let error as VirtualTimeError where found.withLock({ $0.contains(error) }) {
      // The closure `tell` has already recorded the error. If the error were recorded only here, it
      // would be lost if the test ignores its cancellation, because `run` then does not return.
    }
  }
#endif
