#if canImport(Testing)
  internal import Ambient
  public import Testing

  /// A trait that gives each test, and each test case, ambient contexts of its own.
  ///
  /// Inside, every context reads its default until the test assigns another instance, and what the
  /// test assigns is seen by no other test. So tests that assign `Log.instance` run in parallel.
  public struct IsolatedAmbientsTrait: TestTrait, SuiteTrait, TestScoping {
    let prepare: @Sendable () throws -> Void

    /// A suite hands the trait to each of its tests, so that they share nothing.
    public var isRecursive: Bool { true }

    /// Runs the test case in an isolating scope.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      try await AmbientScope.isolated {
        try prepare()
        try await function()
      }
    }
  }

  extension Trait where Self == IsolatedAmbientsTrait {
    /// Gives each test ambient contexts of its own, each with its default.
    public static var isolatedAmbients: Self { Self(prepare: {}) }
  }
#endif
