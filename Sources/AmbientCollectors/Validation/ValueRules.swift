// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The rules that destinations impose on single values.
enum ValueRules {
  /// The unit of a text's length.
  enum Unit: String {
    /// Unicode scalars. A text has at least as many scalars as characters that people see.
    case characters
    /// Bytes of UTF-8.
    case bytes

    func count(_ text: String) -> Int {
      self == .bytes ? text.utf8.count : text.unicodeScalars.count
    }
  }

  /// Returns the value; nil for an object, a list or null. A text that is too long is cut between
  /// the characters that people see. Adds a problem to `inspection` if the value is cut or left
  /// out.
  static func single(
    _ value: AmbientValue, atMost longest: Int, _ unit: Unit = .characters, at field: String,
    _ inspection: inout EventInspection
  ) -> AmbientValue? {
    switch value {
    case .null, .array, .fields:
      inspection.note(
        .nested, at: field, needs: "a single text or number", found: EventProblem.shown(of: value),
        .leftOut, "track its parts as separate properties")
      return nil
    case .string(let text):
      let count = unit.count(text)
      guard count > longest else { return value }
      let cut = text.cut(to: longest, unit)
      inspection.note(
        .textTooLong, at: field, needs: "a text of at most \(longest) \(unit)",
        found: "\(count), \(EventProblem.shown(text, quoted: true))",
        .changed(to: "its first \(unit.count(cut)) \(unit)"), "shorten it")
      return .string(cut)
    default: return value
    }
  }

  /// Returns the value as a number, and converts a text that spells a number. Adds a problem to
  /// `inspection` if the value is converted, or if it is not a number.
  static func number(
    _ value: AmbientValue, at field: String, _ inspection: inout EventInspection
  ) -> AmbientValue? {
    let found = EventProblem.shown(of: value)
    guard let number = value.amount else {
      inspection.note(
        .notNumber, at: field, needs: "a number", found: found, .leftOut, "track a number")
      return nil
    }
    guard case .string = value else { return value }
    inspection.note(
      .notNumber, at: field, needs: "a number", found: found, .changed(to: "the number"),
      "track it as a number, not as text")
    return .double(number)
  }

  /// Returns the elements of a list. If the value is not a list, adds a problem to `inspection` and
  /// returns nil.
  static func list(
    _ value: AmbientValue, at field: String, _ inspection: inout EventInspection
  ) -> [AmbientValue]? {
    if case .array(let values) = value { return values }
    inspection.note(
      .nested, at: field, needs: "a list of objects", found: EventProblem.shown(of: value),
      .leftOut, "track a list of items")
    return nil
  }

  /// Returns the fields of an object in a list of objects. If the value is not an object, adds a
  /// problem to `inspection` and returns nil.
  static func object(
    _ value: AmbientValue, at field: String, _ inspection: inout EventInspection
  ) -> AmbientFields? {
    if case .fields(let fields) = value { return fields }
    inspection.note(
      .nested, at: field, needs: "an object", found: EventProblem.shown(of: value), .leftOut,
      "track each item as an object")
    return nil
  }
}

extension String {
  /// The longest prefix of whole characters within the limit; if the first character alone exceeds
  /// the limit, the longest prefix of Unicode scalars.
  func cut(to longest: Int, _ unit: ValueRules.Unit) -> String {
    var count = 0
    let end = indices.first { index in
      count += unit.count(String(self[index]))
      return count > longest
    }
    guard let end else { return self }
    if end > startIndex { return String(self[..<end]) }
    let beginnings = (0...longest).reversed().lazy.map { String(unicodeScalars.prefix($0)) }
    return beginnings.first { unit.count($0) <= longest } ?? ""
  }
}

extension EventProblem {
  /// The value in a form for reports.
  static func shown(of value: AmbientValue) -> String {
    switch value {
    case .null: "nothing"
    case .array(let values): "a list of \(values.count.with("value"))"
    case .fields(let fields): "an object of \(fields.count.with("member"))"
    case .string(let text): shown(text, quoted: true)
    default: "\(value)"
    }
  }
}
