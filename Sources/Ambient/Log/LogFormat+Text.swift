#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension LogFormat {
  func writeText(
    _ date: Date, _ level: LogLevel, _ message: LogMessage, _ metadata: AmbientFields,
    _ source: LogSource, colored: Bool, to line: inout LineBuffer
  ) {
    if colored { line.append("\u{1B}[2m") }
    line.append(timestamp: date, offset)
    if colored {
      line.append("\u{1B}[0m")
      line.append(Self.color(of: level))
    }
    line.append(Self.padded(level))
    if colored { line.append("\u{1B}[0m") }
    message.withUTF8 { line.append(escaping: $0, .bare) }
    for field in metadata {
      line.append(UInt8(ascii: " "))
      line.append(key: field.name)
      line.append(UInt8(ascii: "="))
      line.append(plain: field.value)
    }
    guard showsSource else { return }
    line.append(" (")
    line.append(escaping: source.fileID, .bare)
    line.append(UInt8(ascii: ":"))
    line.append(integer: Int64(source.line))
    line.append(UInt8(ascii: " "))
    line.append(escaping: source.function, .bare)
    line.append(UInt8(ascii: ")"))
  }

  /// The name between spaces, so that messages stand below each other.
  private static func padded(_ level: LogLevel) -> StaticString {
    switch level {
    case .trace: " trace    "
    case .debug: " debug    "
    case .info: " info     "
    case .notice: " notice   "
    case .warning: " warning  "
    case .error: " error    "
    case .critical: " critical "
    }
  }

  private static func color(of level: LogLevel) -> StaticString {
    switch level {
    case .trace, .debug: "\u{1B}[2m"
    case .info: "\u{1B}[32m"
    case .notice: "\u{1B}[36m"
    case .warning: "\u{1B}[33m"
    case .error: "\u{1B}[31m"
    case .critical: "\u{1B}[1;31m"
    }
  }
}

extension LineBuffer {
  /// Appends the name of a value so that a reader can tell where it ends.
  mutating func append(key: String) {
    if key.isEmpty { return append(UInt8(ascii: "_")) }
    var key = key
    // Valid: the bytes are the name's own, for the time of the closure.
    key.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var isPlain = true
      for byte in bytes { isPlain = isPlain && Self.isBare(byte) }
      if isPlain { return append(bytes) }
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
      var isPlain = !bytes.isEmpty
      for byte in bytes { isPlain = isPlain && Self.isBare(byte) }
      if isPlain { return append(UnsafeRawBufferPointer(bytes)) }
      append(0x22)
      append(escaping: UnsafeRawBufferPointer(bytes), .quoted)
      append(0x22)
    }
  }

  /// Whether the byte may stand in a name, or in a value without quotation marks.
  @inline(__always)
  private static func isBare(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
  }
}
