extension LineBuffer {
  /// Appends the value as JSON; `null` stands for what lies deeper than 64 levels.
  mutating func append(json value: AmbientValue, depth: Int = 0) {
    guard depth <= 64 else { return append("null") }
    switch value {
    case .null: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .integer(let value): append(integer: value)
    case .unsigned(let value): append(magnitude: value, radix: 10, minDigits: 1)
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
      append(bareOrQuoted: field.value)
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
          // Readers of logfmt refuse a line with U+FFFD in a name, as if it were no UTF-8.
          if rest.starts(with: [0xEF, 0xBF, 0xBD]) {
            append(UInt8(ascii: "_"))
            rest = rest.dropFirst(3)
            continue
          }
          let length = UTF8Reader.scalar(bytes, at: rest.startIndex)?.length ?? 1
          append(escaping: UnsafeRawBufferPointer(rebasing: rest.prefix(length)), .bare)
          rest = rest.dropFirst(length)
          continue
        }
        append(Self.isBare(byte) ? byte : UInt8(ascii: "_"))
        rest = rest.dropFirst()
      }
    }
  }

  /// Appends the value, bare if a reader can tell where it ends, else between quotation marks.
  mutating func append(bareOrQuoted value: AmbientValue) {
    switch value {
    case .string(let text): append(bareOrQuoted: text)
    case .date(let date) where ISO8601Writer.canShow(date): append(date: date)
    default: append(json: value)
    }
  }

  mutating func append(bareOrQuoted text: String) {
    var text = text
    // Valid: the bytes are the text's own, for the time of the closure.
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if Self.areBare(bytes), !Self.looksLikeOther(bytes) { return append(bytes) }
      append(0x22)
      append(escaping: bytes, .quoted)
      append(0x22)
    }
  }

  /// Whether a text would be read as a number, a truth value or null, or not be seen at all.
  private static func looksLikeOther(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return true }
    switch first {
    case UInt8(ascii: "n"): return bytes.elementsEqual("null".utf8)
    case UInt8(ascii: "t"): return bytes.elementsEqual("true".utf8)
    case UInt8(ascii: "f"): return bytes.elementsEqual("false".utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return Double(String(decoding: bytes, as: UTF8.self)) != nil
    default: return false
    }
  }

  /// Whether each byte may stand in a name, or in a value without quotation marks: eight at a time.
  @inline(__always)
  private static func areBare(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Valid: each load lies within the bytes; the last word may overlap the one before.
    switch bytes.count {
    case 8...:
      var place = 0
      while place &+ 8 < bytes.count {
        if !isBare(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return false }
        place &+= 8
      }
      return isBare(bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self))
    case 4..<8:
      let first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self)
      return isBare(UInt64(first) | UInt64(last) << 32)
    default:
      for byte in bytes where !isBare(byte) { return false }
      return true
    }
  }

  /// Whether ``isBare(_:)-(UInt8)`` holds for eight bytes: a byte's top bit is set where it does
  /// not. A borrow may set that of the next byte, too, but only where one is set already.
  @inline(__always)
  private static func isBare(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = (word &- ones &* 0x21) & ~word
    let high = word | (word &+ ones)
    let quotation = word ^ (ones &* 0x22)
    let equals = word ^ (ones &* 0x3D)
    let found = low | high | ((quotation &- ones) & ~quotation) | ((equals &- ones) & ~equals)
    return found & (ones &* 0x80) == 0
  }

  /// Whether the byte may stand in a name, or in a value without quotation marks.
  @inline(__always)
  private static func isBare(_ byte: UInt8) -> Bool {
    byte &- 0x21 < 0x5E && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
  }
}
