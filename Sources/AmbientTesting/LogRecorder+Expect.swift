#if canImport(Testing)
  public import Ambient
  public import Testing

  extension LogRecorder {
    /// Expects a separate record for each expectation, in any order.
    ///
    /// A missing record is reported as an issue; the test continues.
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
