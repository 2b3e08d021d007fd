/// What was expected of a recorder and not logged.
public struct LogExpectationError: DescribedError, Hashable {
  /// One expectation that no record meets.
  public struct Missing: Hashable, Sendable {
    /// What was expected.
    public let expectation: LogExpectation
    /// The record that comes nearest, as a line of text; nil if nothing was logged, or another
    /// expectation needs the one that fits.
    public let nearest: String?
    /// What that record has otherwise, a line for each part.
    public let differences: [String]

    init(_ expectation: LogExpectation, among records: [LogRecord]) {
      self.expectation = expectation
      let all = records.map { ($0, expectation.differences(from: $0)) }
      // The fewest differences; the first of several.
      let best = all.min { $0.1.count < $1.1.count }.flatMap { $0.1.isEmpty ? nil : $0 }
      nearest = best?.0.description
      differences = best?.1 ?? []
    }
  }

  /// The expectations that no record meets.
  public let missing: [Missing]
  /// All that was logged, as lines of text.
  public let records: [String]

  /// Says what is missing, what came nearest and how it differs, and what was logged instead.
  public var description: String {
    var lines: [String] = []
    for one in missing {
      lines.append("not logged: \(one.expectation)")
      if let nearest = one.nearest {
        lines.append("  nearest: \(nearest)")
        lines += one.differences.map { "    \($0)" }
      } else if !records.isEmpty {
        lines.append("  as often as expected: each record that fits meets another expectation")
      }
    }
    lines.append(records.isEmpty ? "nothing was logged" : "logged, \(records.count) in all:")
    lines += records.prefix(20).map { "  \($0)" }
    if records.count > 20 { lines.append("  … and \(records.count - 20) more") }
    return lines.joined(separator: "\n")
  }
}
