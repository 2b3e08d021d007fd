#if canImport(Testing)
  internal import Ambient
  public import Testing

  /// A trait that gives each test, and each case of a test, ambient contexts of its own.
  ///
  /// Inside, every context reads its default until the test assigns another instance, and what the
  /// test assigns is seen by no other test. So tests that assign `Log.instance` run in parallel. On
  /// a suite, it does so for each of the suite's tests.
  public struct AmbientTrait: TestTrait, SuiteTrait, TestScoping {
    /// Runs a test's case within the contexts that the trait gives it.
    let scope:
      @Sendable (Test, @escaping @concurrent @Sendable () async throws -> Void) async throws -> Void

    /// A suite hands the trait to each of its tests, so that they share nothing.
    public var isRecursive: Bool { true }

    /// Runs the test's case in an isolating scope.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      try await withoutActuallyEscaping(function) { function in
        try await AmbientScope.isolated { try await scope(test, function) }
      }
    }
  }

  extension Trait where Self == AmbientTrait {
    /// Gives each test ambient contexts of its own, each with its default.
    public static var isolatedAmbients: Self { Self { _, function in try await function() } }
  }
#endif
