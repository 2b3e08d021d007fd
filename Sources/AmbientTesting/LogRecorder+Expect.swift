#if canImport(Testing)
  public import Ambient
  public import Testing

  extension LogRecorder {
    /// Expects that each expectation is met by a record of its own, in whatever order; what is
    /// missing is an issue of the test, which goes on.
    ///
    /// ```swift
    /// recorder.expect(LogExpectation("order placed", ["order": 42]))
    /// ```
    ///
    /// - Parameter sourceLocation: Where the issue is recorded; the place of the call.
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
