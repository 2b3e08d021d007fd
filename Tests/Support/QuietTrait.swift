package import Ambient
package import Testing

/// Keeps what a test reports to `Diagnostics` from standard error: for a test that looks at it
/// (``Testing/Test/reports``), or provokes what other tests look at.
///
/// Behind traits that isolate, which would bring the default back.
package struct QuietTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Diagnostics.withInstance(KeptReports()) { try await function() }
  }
}

extension Trait where Self == QuietTrait {
  package static var quiet: Self { Self() }
}

extension Test {
  /// What the running test has reported so far, if it is `.quiet`.
  package static var reports: [Diagnostic] {
    (Diagnostics.instance as? KeptReports)?.all.withLock { $0 } ?? []
  }
}

private final class KeptReports: Diagnostics, @unchecked Sendable {
  let all = Guarded<[Diagnostic]>([])

  override func report(_ diagnostic: Diagnostic) { all.withLock { $0.append(diagnostic) } }
}
