/// Builds one line of JSON as text.
struct JSONText {
  private(set) var text = ""

  mutating func append(_ value: AmbientValue) {
    text += LineBuffer.with { line in
      line.append(json: value)
      return line.text
    }
  }

  mutating func append(_ fields: AmbientFields) { append(.fields(fields)) }
}
