extension LineBuffer {
  /// Appends the value as JSON; what lies deeper than 64 levels is left out.
  mutating func append(json value: AmbientValue, depth: Int = 0) {
    guard depth <= 64 else { return append("null") }
    switch value {
    case .null: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .integer(let value): append(integer: value)
    case .double(let value):
      if value.isFinite {
        append(double: value)
      } else {
        // JSON has no infinity and no NaN.
        append(json: value.description)
      }
    case .string(let value): append(json: value)
    case .date(let value):
      append(0x22)
      append(date: value)
      append(0x22)
    case .array(let values):
      append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        append(json: value, depth: depth + 1)
      }
      append(UInt8(ascii: "]"))
    case .fields(let fields): append(json: fields, depth: depth + 1)
    }
  }

  mutating func append(json fields: AmbientFields, depth: Int = 0) {
    append(UInt8(ascii: "{"))
    for (index, field) in fields.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(json: field.name)
      append(UInt8(ascii: ":"))
      append(json: field.value, depth: depth)
    }
    append(UInt8(ascii: "}"))
  }

  mutating func append(json text: String) {
    append(0x22)
    append(escaping: text, .quoted)
    append(0x22)
  }
}
