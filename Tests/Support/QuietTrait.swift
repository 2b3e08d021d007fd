internal import Ambient
package import Testing

/// Keeps what a test reports to `Diagnostics`, and does not look at, from standard error.
///
/// Behind traits that isolate, which would bring the default back.
package struct QuietTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Diagnostics.withInstance(.calling { _ in }) { try await function() }
  }
}

extension Trait where Self == QuietTrait {
  package static var quiet: Self { Self() }
}
