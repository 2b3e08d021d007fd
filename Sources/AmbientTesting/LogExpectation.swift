public import Ambient

/// What a test expects of one log record: its message, its level and its fields.
///
/// ```swift
/// try recorder.require(
///   LogExpectation("order placed", level: .info, ["order": 42, "card": nil]),
///   LogExpectation(level: .warning, ["tries": 3]),
///   LogExpectation(["customer": "ada"]))
/// ```
public struct LogExpectation: Hashable, Sendable {
  /// The text of the message; nil for any.
  package let message: String?
  /// The level; nil for any.
  package let level: LogLevel?
  /// Fields that the record must have; it may have others, too.
  package let fields: AmbientFields
  /// The names of fields that the record must not have. Their order is that of the dictionary
  /// literal.
  package let absentNames: [String]

  /// Creates an expectation of these parts.
  ///
  /// - Parameters:
  ///   - message: The whole text; nil for any.
  ///   - level: The level; nil for any.
  ///   - fields: Fields that the record has; nil for a field that it must not have.
  public init(_ message: String? = nil, level: LogLevel? = nil, _ fields: Fields = [:]) {
    self.message = message
    self.level = level
    self.fields = fields.present
    absentNames = fields.absent
  }

  /// Creates an expectation of these fields, with any message.
  ///
  /// - Parameters:
  ///   - fields: Fields that the record has; nil for a field that it must not have.
  ///   - level: The level; nil for any.
  public init(_ fields: Fields, level: LogLevel? = nil) { self.init(level: level, fields) }

  /// Creates an expectation of a message, a level, and the fields in a variable of type
  /// `AmbientFields`.
  ///
  /// - Parameters:
  ///   - message: The whole text; nil for any.
  ///   - level: The level; nil for any.
  ///   - fields: Fields that the record has.
  @_disfavoredOverload
  public init(_ message: String? = nil, level: LogLevel? = nil, _ fields: AmbientFields) {
    self.init(message, level: level, Fields(fields))
  }

  /// Creates an expectation of the fields in a variable of type `AmbientFields`, with any message.
  ///
  /// - Parameters:
  ///   - fields: Fields that the record has.
  ///   - level: The level; nil for any.
  @_disfavoredOverload
  public init(_ fields: AmbientFields, level: LogLevel? = nil) {
    self.init(level: level, Fields(fields))
  }

  /// Expected fields: those with a value, and those with `nil`, which must be absent.
  public struct Fields: Hashable, Sendable {
    let present: AmbientFields
    let absent: [String]

    /// Creates expected fields with these values.
    ///
    /// - Parameter fields: The fields. Values must also agree in their kind: the integer 1 matches
    ///   neither 1.0 nor the text "1".
    public init(_ fields: AmbientFields) {
      present = fields
      absent = []
    }
  }
}

extension LogExpectation.Fields: ExpressibleByDictionaryLiteral {
  /// Creates expected fields from a dictionary literal, whose values may have different types. A
  /// field whose value is nil must be absent.
  ///
  /// - Parameter elements: Names and values; the order does not matter.
  public init(dictionaryLiteral elements: (String, (any AmbientValueConvertible)?)...) {
    present = AmbientFields(literal: elements)
    var seen = Set(present.map { FieldName($0.name) })
    absent = elements.map(\.0).filter { seen.insert(FieldName($0)).inserted }
  }
}

extension LogExpectation: CustomStringConvertible {
  /// The level, the message and the fields, separated by two spaces. Example:
  /// `info  order placed  order=42 card=none`.
  public var description: String {
    let parts =
      fields.map { "\(Self.shown(name: $0.name))=\(Self.shown($0.value))" }
      + absentNames.map { "\(Self.shown(name: $0))=none" }
    return [
      level.map { "\($0)" } ?? "any level", message.map(Self.shown(text:)) ?? "any message",
      parts.isEmpty ? nil : parts.joined(separator: " "),
    ].compactMap(\.self).joined(separator: "  ")
  }
}

/// Functions that return the parts of an expectation as texts for error messages, escaped and cut.
extension LogExpectation {
  static func shown(name: String) -> String { cut(name.escapedAsName) }

  static func shown(_ value: AmbientValue?) -> String { cut(value?.description ?? "none") }

  static func shown(text: String) -> String { cut(text.escaped) }

  /// The text, cut after 500 characters.
  static func cut(_ text: String) -> String {
    let start = text.prefix(500)
    return start.endIndex == text.endIndex ? text : start + "…"
  }
}
