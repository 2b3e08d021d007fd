/// What a test expects of one record: those parts of it that matter.
///
/// ```swift
/// try recorder.require(
///   LogExpectation("order placed", level: .info, ["order": 42, "card": nil]),
///   LogExpectation(level: .warning, ["tries": 3]),
///   LogExpectation(["customer": "ada"]))
/// ```
public struct LogExpectation: Hashable, Sendable {
  /// The text of the message; nil for any.
  public let message: String?
  /// The level; nil for any.
  public let level: LogLevel?
  /// Fields that the record has, and may have others beside.
  public let fields: AmbientFields
  /// The names of fields that the record does not have, in the order in which they were given.
  public let absentNames: [String]

  /// An expectation of these parts.
  ///
  /// - Parameters:
  ///   - message: The whole text; nil for any.
  ///   - level: The level; nil for any.
  ///   - fields: Fields that the record has among others; nil for one that it has not.
  public init(_ message: String? = nil, level: LogLevel? = nil, _ fields: Fields = [:]) {
    self.message = message
    self.level = level
    self.fields = fields.present
    absentNames = fields.absent
  }

  /// An expectation of these fields, whatever the message.
  ///
  /// - Parameters:
  ///   - fields: Fields that the record has among others; nil for one that it has not.
  ///   - level: The level; nil for any.
  public init(_ fields: Fields, level: LogLevel? = nil) { self.init(level: level, fields) }

  /// An expectation of these parts, with fields that stand elsewhere.
  ///
  /// - Parameters:
  ///   - message: The whole text; nil for any.
  ///   - level: The level; nil for any.
  ///   - fields: Fields that the record has among others.
  @_disfavoredOverload
  public init(_ message: String? = nil, level: LogLevel? = nil, _ fields: AmbientFields) {
    self.init(message, level: level, Fields(fields))
  }

  /// An expectation of these fields, which stand elsewhere, whatever the message.
  ///
  /// - Parameters:
  ///   - fields: Fields that the record has among others.
  ///   - level: The level; nil for any.
  @_disfavoredOverload
  public init(_ fields: AmbientFields, level: LogLevel? = nil) {
    self.init(level: level, Fields(fields))
  }

  /// Fields as they are expected: those with a value, and those with `nil`, which must be absent.
  public struct Fields: Hashable, Sendable {
    let present: AmbientFields
    let absent: [String]

    /// Fields with these values.
    ///
    /// - Parameter fields: The fields, whose values are compared with their types.
    public init(_ fields: AmbientFields) {
      present = fields
      absent = []
    }
  }
}

extension LogExpectation.Fields: ExpressibleByDictionaryLiteral {
  /// Fields of mixed values; the record must not have those that are nil.
  ///
  /// - Parameter elements: Names and values; the order does not matter.
  public init(dictionaryLiteral elements: (String, (any AmbientValueConvertible)?)...) {
    present = AmbientFields(literal: elements)
    var seen = Set(present.map { FieldName($0.name) })
    absent = elements.map(\.0).filter { seen.insert(FieldName($0)).inserted }
  }
}

extension LogExpectation: CustomStringConvertible {
  /// The parts, two spaces between them: `info  order placed  order=42 card=none`.
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

/// How parts are shown to a person.
extension LogExpectation {
  /// The name, between quotation marks where it is empty or has spaces.
  static func shown(name: String) -> String {
    name.withBytes { bytes in
      LineBuffer.with { line in
        let isBare = !bytes.isEmpty && bytes.allSatisfy(PlainText.isBare)
        if isBare { line.append(bytes) } else { line.append(quoted: bytes) }
        return cut(line.text)
      }
    }
  }

  static func shown(_ value: AmbientValue?) -> String { cut(value?.description ?? "none") }

  /// The text, escaped as records are.
  static func shown(text: String) -> String {
    LineBuffer.with { line in
      line.append(escaping: text, .bare)
      return cut(line.text)
    }
  }

  /// The start of what is too long to be read.
  static func cut(_ text: String) -> String {
    text.utf8.count <= 500 ? text : String(text.prefix(500)) + "…"
  }
}
