public import Ambient

extension LogRecorder {
  /// Checks that each expectation is met by a separate record, in any order.
  ///
  /// Other records are ignored. In Swift Testing, `recorder.expect(…)` records an issue instead,
  /// and the test goes on.
  ///
  /// - Parameter expectations: The expected records; two equal expectations need two records.
  /// - Throws: `LogExpectationError` with the missing expectations and the nearest records.
  public func require(_ expectations: LogExpectation...) throws(LogExpectationError) {
    try require(expectations)
  }

  /// Checks that each expectation is met by a separate record, in any order.
  ///
  /// - Parameter expectations: The expected records; two equal expectations need two records.
  /// - Throws: `LogExpectationError` with the missing expectations and the nearest records.
  public func require(_ expectations: [LogExpectation]) throws(LogExpectationError) {
    let records = records.map(ExpectedRecord.init)
    let matching = LogMatching(
      expectations.map { expectation in
        records.indices.filter { expectation.isMet(by: records[$0]) }
      })
    guard !matching.unmatched.isEmpty else { return }
    // Each unmet expectation is reported once, even if `expectations` contains it several times.
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

/// Assigns a separate record to each expectation, with the method of augmenting paths: expectation
/// A gets the record of expectation B if B can be assigned to a different record.
private struct LogMatching {
  let fits: [[Int]]
  /// The index of the expectation to which each record is assigned, by the index of the record.
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
