// SPDX-License-Identifier: Apache-2.0

package import Ambient
package import Testing

/// Collects a test's reports to `Diagnostics` instead of writing them to standard error. It is for
/// a test that reads its reports (``Testing/Test/reports``), or provokes reports that other tests
/// read.
///
/// It must come after traits that isolate, because these would restore the default `Diagnostics`.
package struct QuietTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Diagnostics.withInstance(Reports()) { try await function() }
  }
}

extension Trait where Self == QuietTrait {
  package static var quiet: Self { Self() }
}

extension Test {
  /// The reports of the running test so far; empty unless the test is `.quiet`.
  package static var reports: [Diagnostic] {
    (Diagnostics.instance as? Reports)?.all ?? []
  }
}
