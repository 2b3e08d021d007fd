/// Builds one line of JSON.
struct JSONText {
  private(set) var text = ""

  mutating func append(_ value: AmbientValue) {
    switch value {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .double(let value):
      // JSON has no infinity and no NaN.
      if value.isFinite { text += "\(value)" } else { append(string: "\(value)") }
    case .string(let value): append(string: value)
    case .date(let value): append(string: value.iso8601())
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        append(value)
      }
      text += "]"
    case .fields(let fields): append(fields)
    }
  }

  mutating func append(_ fields: AmbientFields) {
    text += "{"
    for (index, field) in fields.enumerated() {
      if index > 0 { text += "," }
      append(string: field.name)
      text += ":"
      append(field.value)
    }
    text += "}"
  }

  mutating func append(string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Control characters, and those that some readers take for the end of a line.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
