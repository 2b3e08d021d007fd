// SPDX-License-Identifier: Apache-2.0

public import Ambient

#if canImport(Testing)
  public import Testing
#endif

extension AnalyticsRecorder {
  /// Checks that each expectation is met by a separate event, in any order.
  ///
  /// Other events are ignored. In Swift Testing, `recorder.expect(…)` records an issue instead,
  /// and the test continues.
  ///
  /// - Parameter expectations: The expected events; two equal expectations need two events.
  /// - Throws: `UnmetExpectationError` with the unmet expectations and the nearest events.
  public func require(_ expectations: EventExpectation...) throws(UnmetExpectationError) {
    try require(expectations)
  }

  /// Checks that each expectation is met by a separate event, in any order.
  ///
  /// - Parameter expectations: The expected events; two equal expectations need two events.
  /// - Throws: `UnmetExpectationError` with the unmet expectations and the nearest events.
  public func require(_ expectations: [EventExpectation]) throws(UnmetExpectationError) {
    try EventExpectation.require(expectations, in: trackedEvents)
  }
}

#if canImport(Testing)
  extension AnalyticsRecorder {
    /// Expects a separate event for each expectation, in any order.
    ///
    /// If some expectations are unmet, one issue lists them all, and the test continues.
    ///
    /// ```swift
    /// recorder.expect(EventExpectation("purchase", ["value": 19.9], user: "ada"))
    /// ```
    ///
    /// - Parameters:
    ///   - expectations: The expected events; two equal expectations need two events.
    ///   - sourceLocation: The source location of the issue; by default the location of the call.
    public func expect(
      _ expectations: EventExpectation..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
      do {
        try require(expectations)
      } catch {
        Issue.record("\(error.description)", sourceLocation: sourceLocation)
      }
    }
  }
#endif
