internal import Ambient
internal import Foundation

/// A record with its fields indexed once for all expectations.
struct ExpectedRecord {
  let record: LogRecord
  let fields: IndexedFields

  init(_ record: LogRecord) {
    self.record = record
    fields = IndexedFields(record.metadata.list)
  }

  /// The record as a line of text for the error message; a long line is cut.
  var line: String { LogExpectation.cut(record.description) }
}

extension LogExpectation {
  func isMet(by found: ExpectedRecord) -> Bool {
    if let level, level != found.record.level { return false }
    if let message, message != found.record.message.description { return false }
    return fields.allSatisfy { found.fields[$0.name]?.isAsExpected($0.value) == true }
      && absentNames.allSatisfy { found.fields[$0] == nil }
  }

  /// Returns the differences between a record and the expectation, with a line for each part that
  /// differs. The result is empty if the record meets the expectation.
  func differences(from found: ExpectedRecord) -> [String] {
    var lines: [String] = []
    if let level, level != found.record.level {
      lines.append("level: expected \(level), found \(found.record.level)")
    }
    let text = found.record.message.description
    if let message, message != text {
      lines.append(
        "message: expected “\(Self.shown(text: message))”, found “\(Self.shown(text: text))”")
    }
    for field in fields {
      lines += Self.differences(Self.shown(name: field.name), field.value, found.fields[field.name])
    }
    for name in absentNames {
      lines += Self.differences(Self.shown(name: name), nil, found.fields[name])
    }
    return lines
  }

  /// Returns the differences between two values as lines. For groups and for lists of equal length,
  /// there is a line for each member that differs.
  private static func differences(
    _ name: String, _ expected: AmbientValue?, _ found: AmbientValue?
  ) -> [String] {
    switch (expected, found) {
    case (nil, nil): return []
    case (let expected?, let found?) where found.isAsExpected(expected): return []
    case (.fields(let expected), .fields(let found)):
      let (expectedTable, foundTable) = (IndexedFields(expected.list), IndexedFields(found.list))
      let others = found.map(\.name).filter { expectedTable[$0] == nil }
      return (expected.map(\.name) + others).flatMap {
        differences("\(name).\(shown(name: $0))", expectedTable[$0], foundTable[$0])
      }
    case (.array(let expected), .array(let found)) where expected.count == found.count:
      return zip(expected, found).enumerated().flatMap { place, pair in
        differences("\(name)[\(place)]", pair.0, pair.1)
      }
    default: return ["\(name): expected \(shown(expected)), found \(shown(found))"]
    }
  }
}

extension AmbientValue {
  /// Whether the values are equal, where NaN equals NaN: an expectation of NaN must be possible.
  fileprivate func isAsExpected(_ expected: AmbientValue) -> Bool {
    switch (expected, self) {
    case (.double(let expected), .double(let found)) where expected.isNaN: found.isNaN
    case (.date(let expected), .date(let found))
    where expected.timeIntervalSinceReferenceDate.isNaN:
      found.timeIntervalSinceReferenceDate.isNaN
    case (.array(let expected), .array(let found)):
      expected.count == found.count && zip(found, expected).allSatisfy { $0.isAsExpected($1) }
    case (.fields(let expected), .fields(let found)):
      expected == found || Self.isAsExpected(IndexedFields(found.list), expected, found.count)
    default: expected == self
    }
  }
  private static func isAsExpected(
    _ found: IndexedFields, _ expected: AmbientFields, _ count: Int
  ) -> Bool {
    expected.count == count
      && expected.allSatisfy { found[$0.name]?.isAsExpected($0.value) == true }
  }
}
