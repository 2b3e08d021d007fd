extension LogRecorder {
  /// Checks that each expectation is met by a record of its own, in whatever order.
  ///
  /// Records without an expectation are passed over. In Swift Testing, `recorder.expect(…)` of
  /// `AmbientTesting` makes an issue of what is missing, and lets the test go on.
  ///
  /// - Parameter expectations: What is to have been logged; two that are alike need two records.
  /// - Throws: ``LogExpectationError``, which says what is missing, and what came nearest.
  public func require(_ expectations: LogExpectation...) throws(LogExpectationError) {
    try require(expectations)
  }

  /// Checks that each expectation is met by a record of its own, in whatever order.
  ///
  /// - Parameter expectations: What is to have been logged; two that are alike need two records.
  /// - Throws: ``LogExpectationError``, which says what is missing, and what came nearest.
  public func require(_ expectations: [LogExpectation]) throws(LogExpectationError) {
    let records = records.map(ExpectedRecord.init)
    let matching = LogMatching(
      expectations.map { expectation in
        records.indices.filter { expectation.isMet(by: records[$0]) }
      })
    guard !matching.unmatched.isEmpty else { return }
    // The same expectation, given several times, is told once.
    var told: Set<LogExpectation> = []
    let missing = matching.unmatched.compactMap { index -> LogExpectationError.Missing? in
      let expectation = expectations[index]
      guard told.insert(expectation).inserted else { return nil }
      return LogExpectationError.Missing(
        expectation, times: expectations.count { $0 == expectation },
        logged: matching.fits[index].count, among: records)
    }
    throw LogExpectationError(missing: missing, records: records.map(\.line))
  }
}

/// Gives each expectation a record, by augmenting paths: an expectation that would take a record
/// that another one has may move that to a different one.
private struct LogMatching {
  let fits: [[Int]]
  /// The expectation that has a record, by the record.
  private var owners: [Int: Int] = [:]
  private(set) var unmatched: [Int] = []

  init(_ fits: [[Int]]) {
    self.fits = fits
    for expectation in fits.indices {
      var tried: Set<Int> = []
      if !place(expectation, &tried) { unmatched.append(expectation) }
    }
  }

  private mutating func place(_ expectation: Int, _ tried: inout Set<Int>) -> Bool {
    for record in fits[expectation] where tried.insert(record).inserted {
      if let owner = owners[record], !place(owner, &tried) { continue }
      owners[record] = expectation
      return true
    }
    return false
  }
}
