// SPDX-License-Identifier: Apache-2.0

public import Ambient
internal import Foundation

/// Expected fields of a record or of an event: those with a value, and those with `nil`, which must
/// be absent.
public struct ExpectedFields: Hashable, Sendable {
  private let present: AmbientFields
  /// The names of fields that must be absent, in the order of the dictionary literal.
  private let absent: [String]

  /// Creates expected fields with these values.
  ///
  /// - Parameter fields: The fields. Values must also agree in their kind: the integer 1 matches
  ///   neither 1.0 nor the text "1". A group matches only a group with the same members.
  public init(_ fields: AmbientFields) {
    present = fields
    absent = []
  }
}

extension ExpectedFields: ExpressibleByDictionaryLiteral {
  /// Creates expected fields from a dictionary literal, whose values may have different types.
  ///
  /// A field whose value is nil must be absent.
  ///
  /// - Parameter elements: Names and values; the last value of a name counts. Null and an empty
  ///   group count as nil.
  public init(dictionaryLiteral elements: (String, (any AmbientValueConvertible)?)...) {
    present = AmbientFields(literal: elements)
    var seen = Set(present.map { FieldName($0.name) })
    absent = elements.map(\.0).filter { seen.insert(FieldName($0)).inserted }
  }
}

extension ExpectedFields {
  /// Whether these fields are found; there may be others, too.
  func areMet(by found: IndexedFields) -> Bool {
    present.allSatisfy { found[$0.name]?.isAsExpected($0.value) == true }
      && absent.allSatisfy { found[$0] == nil }
  }

  /// Returns a line for each field that differs; none if the fields are met.
  func differences(from found: IndexedFields) -> [String] {
    present.flatMap { Self.differences(Shown.name($0.name), $0.value, found[$0.name]) }
      + absent.flatMap { Self.differences(Shown.name($0), nil, found[$0]) }
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
        differences("\(name).\(Shown.name($0))", expectedTable[$0], foundTable[$0])
      }
    case (.array(let expected), .array(let found)) where expected.count == found.count:
      return zip(expected, found).enumerated().flatMap { place, pair in
        differences("\(name)[\(place)]", pair.0, pair.1)
      }
    default: return ["\(name): expected \(Shown.value(expected)), found \(Shown.value(found))"]
    }
  }
}

extension ExpectedFields {
  /// The fields as a text for error messages, such as `order=42 card=none`; nil if there are none.
  var shown: String? {
    let parts =
      present.map { "\(Shown.name($0.name))=\(Shown.value($0.value))" }
      + absent.map { "\(Shown.name($0))=none" }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
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
