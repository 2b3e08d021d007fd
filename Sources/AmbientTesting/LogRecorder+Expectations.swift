// SPDX-License-Identifier: Apache-2.0

public import Ambient

#if canImport(Testing)
  public import Testing
#endif

extension LogRecorder {
  /// Checks that each expectation is met by a separate record, in any order.
  ///
  /// Other records are ignored. In Swift Testing, `recorder.expect(…)` records an issue instead,
  /// and the test continues.
  ///
  /// - Parameter expectations: The expected records; two equal expectations need two records.
  /// - Throws: `UnmetExpectationError` with the unmet expectations and the nearest records.
  public func require(_ expectations: LogExpectation...) throws(UnmetExpectationError) {
    try require(expectations)
  }

  /// Checks that each expectation is met by a separate record, in any order.
  ///
  /// - Parameter expectations: The expected records; two equal expectations need two records.
  /// - Throws: `UnmetExpectationError` with the unmet expectations and the nearest records.
  public func require(_ expectations: [LogExpectation]) throws(UnmetExpectationError) {
    try LogExpectation.require(expectations, in: records)
  }
}

#if canImport(Testing)
  extension LogRecorder {
    /// Expects a separate record for each expectation, in any order.
    ///
    /// If some expectations are unmet, one issue lists them all, and the test continues.
    ///
    /// ```swift
    /// recorder.expect(LogExpectation("order placed", ["order": 42]))
    /// ```
    ///
    /// - Parameters:
    ///   - expectations: The expected records; two equal expectations need two records.
    ///   - sourceLocation: The source location of the issue; by default the location of the call.
    public func expect(
      _ expectations: LogExpectation..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
      do {
        try require(expectations)
      } catch {
        Issue.record("\(error.description)", sourceLocation: sourceLocation)
      }
    }
  }
#endif
