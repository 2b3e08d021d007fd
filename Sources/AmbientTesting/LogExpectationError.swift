public import Ambient

/// The error of a recorder whose records do not meet all of its expectations.
public struct LogExpectationError: DescribedError, Hashable {
  /// An expectation to which no record could be assigned.
  package struct Missing: Hashable, Sendable {
    /// The expectation.
    package let expectation: LogExpectation
    /// The number of records that the test expects.
    package let timesExpected: Int
    /// The number of records that meet the expectation, including those that count for other
    /// expectations.
    package let timesLogged: Int
    /// The record with the fewest differences, as a line of text; nil if nothing was logged, or if
    /// some records meet the expectation.
    package let nearest: String?
    /// The differences between `nearest` and the expectation, one line each.
    package let differences: [String]

    init(
      _ expectation: LogExpectation, times: Int, logged: Int, among records: [ExpectedRecord]
    ) {
      self.expectation = expectation
      timesExpected = times
      timesLogged = logged
      var best: (line: String, differences: [String])?
      // Finds the record with the fewest differences; of several such records, the latest.
      for record in records where logged == 0 {
        let differences = expectation.differences(from: record)
        if let best, best.differences.count < differences.count { continue }
        best = (record.line, differences)
      }
      nearest = best?.line
      differences = best?.differences ?? []
    }
  }

  /// The expectations to which no record could be assigned, each listed once.
  package let missing: [Missing]
  /// All records, as lines of text; long lines are cut.
  package let records: [String]

  /// The missing expectations, each with its nearest record and the differences; then all records.
  public var description: String {
    var lines: [String] = []
    for one in missing {
      lines.append("not logged: \(one.expectation)")
      if let nearest = one.nearest {
        lines.append("  nearest: \(nearest)")
        lines += one.differences.prefix(Self.mostLines).map { "    \($0)" }
        let more = one.differences.count - Self.mostLines
        if more > 0 { lines.append("    … and \(more) more") }
      } else if one.timesExpected > one.timesLogged, one.timesLogged > 0 {
        lines.append(
          "  expected \(Self.times(one.timesExpected)), logged \(Self.times(one.timesLogged))")
      } else if !records.isEmpty {
        lines.append("  enough records match, but each counts for another expectation")
      }
    }
    return (lines + shownRecords).joined(separator: "\n")
  }

  private static var mostLines: Int { 20 }

  private static func times(_ count: Int) -> String { count == 1 ? "1 time" : "\(count) times" }

  private var shownRecords: [String] {
    guard !records.isEmpty else { return ["nothing was logged"] }
    let isCut = records.count > Self.mostLines
    return ["logged, \(records.count) in all\(isCut ? ", the last \(Self.mostLines)" : ""):"]
      + records.suffix(Self.mostLines).map { "  \($0)" }
  }
}
