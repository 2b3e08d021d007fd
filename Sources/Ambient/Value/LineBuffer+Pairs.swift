/// Names and values for people: bare where a reader can tell where they end.
extension LineBuffer {
  /// Appends `name=value` for each field, with spaces between.
  mutating func append(pairs fields: AmbientFields) {
    var isFirst = true
    for field in fields {
      if !isFirst { append(UInt8(ascii: " ")) }
      isFirst = false
      append(key: field.name)
      append(UInt8(ascii: "="))
      append(plain: field.value)
    }
  }

  /// Appends the name of a value so that a reader can tell where it ends.
  mutating func append(key: String) {
    if key.isEmpty { return append(UInt8(ascii: "_")) }
    var key = key
    // Valid: the bytes are the name's own, for the time of the closure.
    key.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if Self.areBare(bytes) { return append(bytes) }
      var rest = bytes[...]
      while let byte = rest.first {
        if byte >= 0x80 {
          let word = rest.prefix { $0 >= 0x80 }
          append(escaping: UnsafeRawBufferPointer(rebasing: word), .bare)
          rest = rest.dropFirst(word.count)
          continue
        }
        append(Self.isBare(byte) ? byte : UInt8(ascii: "_"))
        rest = rest.dropFirst()
      }
    }
  }

  /// Appends the value, bare if a reader can tell where it ends, else between quotation marks.
  mutating func append(plain value: AmbientValue) {
    switch value {
    case .string(let text): append(plain: text)
    case .date(let date): append(date: date)
    default: append(json: value)
    }
  }

  mutating func append(plain text: String) {
    var text = text
    // Valid: the bytes are the text's own, for the time of the closure.
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if !bytes.isEmpty, Self.areBare(bytes) { return append(bytes) }
      append(0x22)
      append(escaping: bytes, .quoted)
      append(0x22)
    }
  }

  @inline(__always)
  private static func areBare(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for byte in bytes where !isBare(byte) { return false }
    return true
  }

  /// Whether the byte may stand in a name, or in a value without quotation marks.
  @inline(__always)
  private static func isBare(_ byte: UInt8) -> Bool {
    byte &- 0x21 < 0x5E && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
  }
}
