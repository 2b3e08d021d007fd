public import Ambient
internal import Foundation

extension AmbientValue {
  /// The value as JSON, for the body of a request: numbers as they are, dates in ISO 8601,
  /// infinities and NaN as text, and what is private as its mark.
  public var json: String {
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  func append(to text: inout [UInt8]) {
    switch self {
    case .null: text += "null".utf8
    case .boolean(let value): text += (value ? "true" : "false").utf8
    case .integer(let value): text += "\(value)".utf8
    case .unsigned(let value): text += "\(value)".utf8
    case .double(let value) where value.isFinite: text += Self.shortest(value).utf8
    case .double(let value): text.append(json: "\(value)")
    case .string(let value): text.append(json: value)
    case .date(let value): text.append(json: value.iso8601())
    case .array(let values):
      text.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        value.append(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .fields(let fields):
      text.append(UInt8(ascii: "{"))
      for (place, field) in fields.enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        text.append(json: field.name)
        text.append(UInt8(ascii: ":"))
        field.value.append(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    case .revealed: text.append(json: "<private>")
    }
  }

  /// `12` and not `12.0`, as in the line of an event.
  private static func shortest(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension [UInt8] {
  /// Appends a text between quotation marks.
  mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    self += JSONMembers.escaped(text.utf8)
    append(UInt8(ascii: "\""))
  }
}
