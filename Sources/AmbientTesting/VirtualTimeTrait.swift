// SPDX-License-Identifier: Apache-2.0

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
    /// for each task that still sleeps, except by `Task.sleep`, and for each other `Time.task` that
    /// has not ended; background tasks are excepted. An issue is also recorded for the first task
    /// that leaves the scope without `Time.hold` while other tasks sleep, and for each background
    /// task that throws an error other than `CancellationError` before it is cancelled. If the test
    /// is in a deadlock, or makes no progress for `limit`, an issue is recorded and the test is
    /// cancelled; a call that awaits an advance may throw first. A test that ignores its
    /// cancellation may run without progress for a minute, or for the number of seconds in the
    /// environment variable `AMBIENT_TESTS_LIMIT` (0 means for ever). Then the program prints the
    /// test's place in the source code, and ends. If an argument is invalid, an issue is recorded,
    /// and the test does not run.
    ///
    /// With `schedules:` or `replaying:`, the test runs first in, first out, and then in many other
    /// orders of its tasks, each time in new contexts, as `Time.virtual(from:schedules:)`
    /// describes. A schedule fails if the test throws, or if an issue would be recorded, such as a
    /// failed expectation or one of those above. Known issues and warnings do not count. The issues
    /// of the failed schedule alone are recorded, with its number and a table of the order. If no
    /// schedule fails, a warning lists the schedules that were given up. `AMBIENT_SCHEDULE=137` in
    /// the environment repeats one schedule; `AMBIENT_SCHEDULES=10000` or `1001...2000` searches
    /// others than the trait asks for.
    ///
    /// - Parameters:
    ///   - date: The wall time at the start.
    ///   - schedules: The number of schedules, orders in which the test's tasks can run, in which
    ///     the test runs after its first run, which is first in, first out; at least one. Nil for
    ///     none.
    ///   - pinned: The numbers, from 1 on, of schedules in which the test runs before those.
    ///   - advances: Whether time also passes by itself, or only when the test advances it.
    ///   - seed: The seed of identifiers, random numbers and delays in the test.
    ///   - limit: The real time after which a test without progress is cancelled, with an issue.
    ///     Above zero, rounded up to steps of 50 ms; nil for 10 seconds.
    ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
    ///     scope will wake any of them; also the wait before time passes to a timeout while only
    ///     timeouts and background tasks sleep. Above zero, rounded up to steps of 50 ms; nil for
    ///     200 ms.
    ///   - systemClocks: Whether `Task.sleep`, `ContinuousClock`, `SuspendingClock` and `Date()`
    ///     also show and obey the test's time, in the code of any library. If the program cannot do
    ///     that (`VirtualTime.hasSystemClocks`), an issue is recorded, and the test does not run.
    public static func virtualTime(
      from date: Date, schedules: Int? = nil, replaying pinned: [Int] = [],
      advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
      limit: Duration? = nil, patience: Duration? = nil,
      systemClocks: Bool = false
    ) -> Self {
      Self(opensScope: true) { test, function in
        try await inVirtualTime(
          from: date, schedules, pinned, advances, seed, limit, patience, systemClocks, test,
          function)
      }
    }

    /// Gives each test ambient contexts of its own, in virtual time from an instant in ISO 8601.
    ///
    /// The other trait for virtual time, which takes a date, describes what it does. If the text is
    /// not such an instant, or another argument is invalid, an issue is recorded, and the test does
    /// not run.
    ///
    /// - Parameters:
    ///   - text: The wall time at the start, with its offset from UTC.
    ///   - schedules: The number of schedules, orders in which the test's tasks can run, in which
    ///     the test runs after its first run, which is first in, first out; at least one. Nil for
    ///     none.
    ///   - pinned: The numbers, from 1 on, of schedules in which the test runs before those.
    ///   - advances: Whether time also passes by itself, or only when the test advances it.
    ///   - seed: The seed of identifiers, random numbers and delays in the test.
    ///   - limit: The real time after which a test without progress is cancelled, with an issue.
    ///     Above zero, rounded up to steps of 50 ms; nil for 10 seconds.
    ///   - patience: The real time after which suspended tasks are in a deadlock, if nothing in the
    ///     scope will wake any of them; also the wait before time passes to a timeout while only
    ///     timeouts and background tasks sleep. Above zero, rounded up to steps of 50 ms; nil for
    ///     200 ms.
    ///   - systemClocks: Whether `Task.sleep`, `ContinuousClock`, `SuspendingClock` and `Date()`
    ///     also show and obey the test's time, in the code of any library. If the program cannot do
    ///     that (`VirtualTime.hasSystemClocks`), an issue is recorded, and the test does not run.
    public static func virtualTime(
      from text: String, schedules: Int? = nil, replaying pinned: [Int] = [],
      advances: VirtualTime.Advances = .byItself, seed: UInt64 = 0,
      limit: Duration? = nil, patience: Duration? = nil,
      systemClocks: Bool = false
    ) -> Self {
      Self(opensScope: true) { test, function in
        try await inVirtualTime(
          from: Date(iso8601: text), schedules, pinned, advances, seed, limit, patience,
          systemClocks, test, function)
      }
    }
  }

  private func inVirtualTime(
    from date: Date, _ schedules: Int?, _ pinned: [Int], _ advances: VirtualTime.Advances,
    _ seed: UInt64, _ limit: Duration?, _ patience: Duration?, _ systemClocks: Bool, _ test: Test,
    _ function: @escaping @concurrent @Sendable () async throws -> Void
  ) async throws {
    ambient_testing_keep()
    if systemClocks { try SystemClocks.requireClocks() }
    let starts = systemClocks ? ClockStarts() : nil
    let scope = TestScope(test: test) { run in
      VirtualTime(
        from: date, seed: seed, advances: advances, limit: limit, patience: patience,
        starts: starts, run: run)
    }
    if schedules == nil, pinned.isEmpty {
      try await scope.run(scope.makeTime(nil), mayLeave: false, function).0.get()
    } else {
      try await ExploredTest(scope, function).run(ScheduleNumbers(schedules, replaying: pinned))
    }
  }
#endif
