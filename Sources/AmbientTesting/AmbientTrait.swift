// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  public import Ambient
  public import AmbientSystem
  internal import AmbientVirtualTime
  public import Testing

  /// A trait that gives each test, and each case of a test, ambient contexts of its own.
  ///
  /// In the test, a read of a context finds the default until a trait or the test assigns another
  /// instance, and no other test sees the assignment. So tests that assign `Log.instance` run in
  /// parallel. On a suite, the trait applies to each of the suite's tests. The traits of suite and
  /// test add up. If both set the same service, the trait of the test wins; if two traits of the
  /// suite, or two of the test, set it, the later trait wins. If a trait for virtual time runs the
  /// test in several schedules, each has new contexts, which the other traits assign again.
  public struct AmbientTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether the trait opens a scope of virtual time.
    var opensScope = false
    /// Runs a test's case within the contexts of the trait.
    let scope:
      @Sendable (Test, @escaping @concurrent @Sendable () async throws -> Void) async throws -> Void

    /// Always true: a suite passes the trait to each of its tests, so that the tests share nothing.
    public var isRecursive: Bool { true }

    /// Whether an outer trait has already made contexts for the case.
    @TaskLocal private static var isIsolated = false

    /// The number of the case's traits for virtual time that have begun.
    @TaskLocal private static var opened = 0

    /// The functions by which the traits of the case have assigned contexts, the outermost first.
    @TaskLocal private static var makers: [@Sendable () throws -> Void] = []

    /// Runs `body` in new contexts, which the traits around it assign again.
    static func withNewContexts(
      _ body: @Sendable () async throws -> Void
    ) async throws {
      try await AmbientScope.renewed.run {
        for make in makers { try make() }
        try await body()
      }
    }

    /// Assigns instances, and runs the case.
    fileprivate static func assign(
      by make: @escaping @Sendable () throws -> Void, _ function: @Sendable () async throws -> Void
    ) async throws {
      try make()
      // `function` is `@Sendable`, so there is no actor to stay on.
      try await $makers.withValue(makers + [make]) { try await function() }
    }

    /// Runs the test's case in an isolating scope, which all traits of the case share.
    ///
    /// - Parameters:
    ///   - test: The test, or the suite, that has the trait.
    ///   - testCase: The case that is about to run; nil for a suite, which gets no contexts.
    ///   - function: Runs the case, within the traits that come after this one.
    /// - Throws: An error of the trait, such as one of a function that makes an instance, or an
    ///   error of `function`.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      if opensScope {
        // Only the last trait for virtual time opens a scope: a search must choose among the jobs
        // of that one.
        let count = test.traits.count { ($0 as? Self)?.opensScope == true }
        if Self.opened + 1 < count {
          // `function` is `@Sendable`, so there is no actor to stay on.
          return try await Self.$opened.withValue(Self.opened + 1) { try await function() }
        }
      }
      try await withoutActuallyEscaping(function) { function in
        if Self.isIsolated { return try await scope(test, function) }
        try await AmbientScope.isolated {
          // `scope` and `function` are `@Sendable`, so there is no actor to stay on.
          try await Self.$isIsolated.withValue(true) { try await scope(test, function) }
        }
      }
    }
  }

  extension Trait where Self == AmbientTrait {
    /// Gives each test ambient contexts of its own, and calls `assign` in them before the test
    /// runs.
    ///
    /// Use it to make a trait for a context of your own.
    ///
    /// ```swift
    /// extension Trait where Self == AmbientTrait {
    ///   static var allFlags: Self { .assigning { Flags.instance = AllFlags() } }
    /// }
    /// ```
    ///
    /// - Parameter assign: Assigns instances. It is called for each case of a parameterized test.
    ///   An error that it throws is an issue of the test, which then does not run.
    public static func assigning(_ assign: @escaping @Sendable () throws -> Void) -> Self {
      Self { _, function in try await Self.assign(by: assign, function) }
    }

    /// Gives each test ambient contexts of its own, each with its default.
    public static var isolatedAmbients: Self { Self.assigning {} }

    /// Gives each test its own contexts, and sets the treatment of unintended uses.
    ///
    /// - Parameters:
    ///   - escapes: The treatment of reads and assignments of the process's instances by code that
    ///     runs outside every test: on a Dispatch queue, on a thread or in a detached task. These
    ///     uses are collected while the test runs, and are recorded at its end, with file and line
    ///     if these are known. If other tests that collect such uses run at the same time, a use
    ///     may belong to one of the other tests, and the issue names those tests. Uses of
    ///     `Diagnostics`, of `Analytics.user` and of the log's metadata do not count.
    ///   - defaults: The treatment of the test's first read of a context, other than those three,
    ///     that neither a trait nor the test has assigned.
    public static func isolatedAmbients(
      escapes: EscapePolicy = .allowed, defaults: EscapePolicy = .allowed
    ) -> Self {
      Self { test, function in
        let defaultUses = defaults == .issue ? UnintendedUses() : nil
        defer {
          defaultUses?.record(in: test, UnintendedUses.text(ofDefault:))
        }
        try await UnintendedUses.collectingEscapes(escapes == .issue, in: test) {
          // `function` is `@Sendable`, so there is no actor to stay on.
          try await UseObservers.$ofDefaults.withValue(defaultUses?.observer) {
            try await function()
          }
        }
      }
    }

    /// Gives each test ambient contexts of its own, with a time that is created for each case.
    ///
    /// - Parameter make: Creates the time; a thrown error is an issue of the test.
    public static func time(_ make: @autoclosure @escaping @Sendable () throws -> Time) -> Self {
      Self.assigning { Time.instance = try make() }
    }

    /// Gives each test ambient contexts of its own, with a log that is created for each case.
    ///
    /// ```swift
    /// @Test(.log(LogRecorder())) func `says so`() throws {
    ///   Log.notice("so")
    ///   #expect(try LogRecorder.current.messages == ["so"])
    /// }
    /// ```
    ///
    /// - Parameter make: Creates the log; a thrown error is an issue of the test.
    public static func log(_ make: @autoclosure @escaping @Sendable () throws -> Log) -> Self {
      Self.assigning { Log.instance = try make() }
    }

    /// Gives each test ambient contexts of its own, with analytics that are created for each case.
    ///
    /// If the analytics are an `AnalyticsRecorder`, `AnalyticsRecorder.current` returns them in the
    /// test.
    ///
    /// - Parameter make: Creates the analytics; a thrown error is an issue of the test.
    public static func analytics(
      _ make: @autoclosure @escaping @Sendable () throws -> Analytics
    ) -> Self {
      Self.assigning { Analytics.instance = try make() }
    }

    /// Gives each test ambient contexts of its own, with time standing still at `date`.
    ///
    /// - Parameters:
    ///   - date: The value of `Time.now`; a sleep until a later time throws `FrozenTimeError`.
    ///   - showsDate: Whether `Date()` also shows the test's time, in the code of any library;
    ///     Swift's clocks and `Task.sleep` stay real. If the program cannot do that, an issue is
    ///     recorded, and the test does not run. If false, what another trait has set for `Date()`
    ///     and for these clocks still applies.
    public static func frozen(at date: Date, date showsDate: Bool = false) -> Self {
      Self.assigning {
        Time.instance = FixedTime(at: date)
        try SystemClocks.assign(showsDate)
      }
    }

    /// Gives each test ambient contexts of its own, with time standing still at the instant that
    /// `text` denotes.
    ///
    /// If `text` is malformed, an issue is recorded, and the test does not run.
    ///
    /// - Parameters:
    ///   - text: The instant in ISO 8601, with its offset from UTC, as in
    ///     `2026-11-27T00:00:00-05:00`.
    ///   - showsDate: Whether `Date()` also shows the test's time, in the code of any library;
    ///     Swift's clocks and `Task.sleep` stay real. If the program cannot do that, an issue is
    ///     recorded, and the test does not run. If false, what another trait has set for `Date()`
    ///     and for these clocks still applies.
    public static func frozen(at text: String, date showsDate: Bool = false) -> Self {
      Self.assigning {
        Time.instance = try FixedTime(at: text)
        try SystemClocks.assign(showsDate)
      }
    }

    /// Gives each test ambient contexts of its own, with time running `factor` times as fast as
    /// real time, also during sleeps.
    ///
    /// If the factor is not a finite number above zero, an issue is recorded, and the test does not
    /// run.
    ///
    /// - Parameter factor: The number of seconds that pass in each real second; 1,000 shortens a
    ///   sleep of 5 s to 5 ms.
    public static func scaled(by factor: Double) -> Self {
      Self.assigning { Time.instance = try ScaledTime(of: DefaultTime(), by: factor) }
    }
  }
#endif
