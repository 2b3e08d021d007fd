// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The expectation of one log record: its message, its level and its fields.
///
/// ```swift
/// try recorder.require(
///   LogExpectation("order placed", level: .info, ["order": 42, "card": nil]),
///   LogExpectation(level: .warning, ["tries": 3]),
///   LogExpectation(["customer": "ada"]))
/// ```
public struct LogExpectation: Hashable, Sendable {
  /// The text of the message; nil for any.
  private let message: String?
  /// The level; nil for any.
  private let level: LogLevel?
  let fields: ExpectedFields

  /// Creates an expectation of these parts.
  ///
  /// - Parameters:
  ///   - message: The whole text, with marks such as `<private>` for hidden values, or `<private>`
  ///     alone if the message shows a hidden value (`AmbientPrivacy.isRevealing`); nil for any.
  ///   - level: The level; nil for any.
  ///   - fields: Fields that the record has, among others; nil for a field that it must not have.
  public init(_ message: String? = nil, level: LogLevel? = nil, _ fields: ExpectedFields = [:]) {
    self.message = message
    self.level = level
    self.fields = fields
  }

  /// Creates an expectation of these fields, with any message.
  ///
  /// - Parameters:
  ///   - fields: Fields that the record has, among others; nil for a field that it must not have.
  ///   - level: The level; nil for any.
  public init(_ fields: ExpectedFields, level: LogLevel? = nil) { self.init(level: level, fields) }

  /// Creates an expectation of a message, a level, and the fields in a variable of type
  /// `AmbientFields`.
  ///
  /// - Parameters:
  ///   - message: The whole text, with marks such as `<private>` for hidden values, or `<private>`
  ///     alone if the message shows a hidden value (`AmbientPrivacy.isRevealing`); nil for any.
  ///   - level: The level; nil for any.
  ///   - fields: Fields that the record has, among others.
  @_disfavoredOverload
  public init(_ message: String? = nil, level: LogLevel? = nil, _ fields: AmbientFields) {
    self.init(message, level: level, ExpectedFields(fields))
  }

  /// Creates an expectation of the fields in a variable of type `AmbientFields`, with any message.
  ///
  /// - Parameters:
  ///   - fields: Fields that the record has, among others.
  ///   - level: The level; nil for any.
  @_disfavoredOverload
  public init(_ fields: AmbientFields, level: LogLevel? = nil) {
    self.init(level: level, ExpectedFields(fields))
  }
}

extension LogExpectation: RecorderExpectation {
  static var verb: String { "logged" }

  func differences(from record: LogRecord) -> [String] {
    var lines: [String] = []
    if let level, level != record.level {
      lines.append("level: expected \(level), found \(record.level)")
    }
    let text = record.message.description
    if let message, message != text {
      lines.append("message: expected “\(Shown.text(message))”, found “\(Shown.text(text))”")
    }
    return lines
  }

  func isMet(by record: LogRecord) -> Bool {
    (level == nil || level == record.level)
      && (message == nil || message == record.message.description)
  }

  static func fields(of record: LogRecord) -> AmbientFields { record.metadata }

  static func line(of record: LogRecord) -> String { record.description }
}

extension LogExpectation: CustomStringConvertible {
  /// The level, the message and the fields, separated by two spaces.
  ///
  /// Example: `info  order placed  order=42 card=none`. Long texts are cut.
  public var description: String {
    Shown.line(
      level.map { "\($0)" } ?? "any level", message.map(Shown.text) ?? "any message",
      fields.shown)
  }
}
