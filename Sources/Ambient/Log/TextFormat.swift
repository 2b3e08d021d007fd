/// One line of text for a record: `2026-11-27T05:00:00.000000Z info    order placed order=42`.
enum TextFormat {
  static func line(_ record: LogRecord) -> String {
    let level = record.level.rawValue
    var line = record.date.iso8601(fractionDigits: 6)
    line += " " + level + String(repeating: " ", count: 9 - level.count)
    append(record.message.description, to: &line)
    for field in record.metadata {
      line += " "
      append(field.name, to: &line)
      line += "="
      append(field.value, to: &line)
    }
    line += "\n"
    return line
  }

  private static func append(_ value: AmbientValue, to line: inout String) {
    switch value {
    case .string(let text) where isBare(text): line += text
    case .date(let date): line += date.iso8601()
    default:
      var json = JSONText()
      json.append(value)
      line += json.text
    }
  }

  /// Whether a reader can tell where the value ends.
  private static func isBare(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isGraphemeBase && !" \"=".unicodeScalars.contains($0)
      }
  }

  /// Appends the text so that it stays on the line.
  private static func append(_ text: String, to line: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        line += scalar.escaped(asASCII: true)
      default: line.unicodeScalars.append(scalar)
      }
    }
  }
}
