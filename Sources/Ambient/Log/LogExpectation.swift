/// What a test expects of one record: those parts of it that matter.
///
/// ```swift
/// try recorder.expect(
///   LogExpectation("order placed", level: .info, ["order": 42]),
///   LogExpectation(level: .warning, ["tries": 3]))
/// ```
public struct LogExpectation: Hashable, Sendable {
  /// The text of the message; nil for any.
  public let message: String?
  /// The level; nil for any.
  public let level: LogLevel?
  /// Fields that the record has, and may have others beside.
  public let fields: AmbientFields

  /// An expectation of these parts.
  public init(
    _ message: String? = nil, level: LogLevel? = nil, _ fields: AmbientFields = AmbientFields()
  ) {
    self.message = message
    self.level = level
    self.fields = fields
  }

  /// What a record has otherwise, a line for each part; none if it is as expected.
  func differences(from record: LogRecord) -> [String] {
    var found: [String] = []
    if let level, level != record.level {
      found.append("level: expected \(level), found \(record.level)")
    }
    if let message, message != record.message.description {
      found.append("message: expected “\(message)”, found “\(record.message)”")
    }
    let metadata = record.metadata
    for field in fields where metadata[field.name] != field.value {
      let other = metadata[field.name].map(\.description) ?? "none"
      found.append("\(field.name): expected \(field.value), found \(other)")
    }
    return found
  }
}

extension LogExpectation: CustomStringConvertible {
  /// The parts as they would stand in a line: `info     order placed order=42`.
  public var description: String {
    [
      level.map { "\($0)" } ?? "any level", message ?? "any message",
      fields.isEmpty ? nil : fields.description,
    ].compactMap(\.self).joined(separator: "  ")
  }
}

extension LogRecorder {
  /// Checks that each expectation is met by a record of its own, in whatever order.
  ///
  /// Records that nobody expects are passed over.
  ///
  /// - Throws: ``LogExpectationError``, which says what is missing, and what came nearest.
  public func expect(_ expectations: LogExpectation...) throws(LogExpectationError) {
    let records = records
    let fits = expectations.map { expectation in
      records.indices.filter { expectation.differences(from: records[$0]).isEmpty }
    }
    let missing = LogMatching(fits).unmatched.map { index in
      LogExpectationError.Missing(expectations[index], among: records)
    }
    guard missing.isEmpty else {
      throw LogExpectationError(missing: missing, records: records.map(\.description))
    }
  }
}

/// Gives each expectation a record, by augmenting paths: an expectation that would take a record
/// that another one has may move that to a different one.
private struct LogMatching {
  private let fits: [[Int]]
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
