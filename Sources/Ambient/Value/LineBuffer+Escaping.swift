extension LineBuffer {
  /// How text is kept from leaving its line or its place.
  enum Escaping {
    /// Text that stands alone: what ends a line or steers a terminal is escaped.
    case bare
    /// Text between quotation marks, as JSON has it.
    case quoted
  }

  /// Appends the text so that it stays on the line and cannot steer a terminal.
  ///
  /// Escaped are control characters, U+2028, U+2029, those that turn the direction of text, and
  /// bytes that are no UTF-8.
  mutating func append(escaping text: String, _ escaping: Escaping) {
    var text = text
    // Valid: the bytes are the text's own, for the time of the closure.
    text.withUTF8 { append(escaping: UnsafeRawBufferPointer($0), escaping) }
  }

  mutating func append(escaping source: UnsafeRawBufferPointer, _ escaping: Escaping) {
    let quoted = escaping == .quoted
    // Usually there is nothing to escape: copied and looked at in one go.
    if append(ifPlain: source, quoted: quoted) { return }
    append(special: source, quoted: quoted)
  }

  @inline(never)
  private mutating func append(special source: UnsafeRawBufferPointer, quoted: Bool) {
    var next = 0
    while next < source.count {
      let plain = Self.plainCount(source, from: next, quoted: quoted)
      append(UnsafeRawBufferPointer(rebasing: source[next..<next + plain]))
      next += plain
      guard next < source.count else { return }
      next += append(special: source, at: next, quoted: quoted)
    }
  }

  /// How many bytes from there on are printable ASCII without a special meaning.
  @inline(__always)
  private static func plainCount(
    _ source: UnsafeRawBufferPointer, from start: Int, quoted: Bool
  ) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var place = start
    // Eight bytes at a time, as in `topBit`; what one carries to the next comes from special ones only.
    while place + 8 <= source.count {
      let word = source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      var special = word | (word &+ ones) | (word &- ones &* 0x20)
      if quoted {
        special |= ((word ^ (ones &* 0x22)) &- ones) | ((word ^ (ones &* 0x5C)) &- ones)
      }
      if special & tops != 0 { break }
      place += 8
    }
    while place < source.count {
      let byte = source[place]
      if byte < 0x20 || byte >= 0x7F { break }
      if quoted, byte == 0x22 || byte == 0x5C { break }
      place += 1
    }
    return place - start
  }

  /// Appends one character that is not plain and returns how many bytes it took.
  private mutating func append(
    special source: UnsafeRawBufferPointer, at place: Int, quoted: Bool
  ) -> Int {
    let byte = source[place]
    switch byte {
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    case 0x22, 0x5C:
      append(0x5C)
      append(byte)
    case ..<0x80: append(escape: UInt64(byte))
    default:
      guard let (scalar, length) = UTF8Reader.scalar(source, at: place) else {
        if quoted {
          append("\\ufffd")
        } else {
          append("\\x")
          append(magnitude: UInt64(byte), radix: 16, minDigits: 2)
        }
        return 1
      }
      switch scalar {
      case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
        append(escape: UInt64(scalar))
      default:
        append(UnsafeRawBufferPointer(rebasing: source[place..<place + length]))
      }
      return length
    }
    return 1
  }

  private mutating func append(escape scalar: UInt64) {
    append("\\u")
    append(magnitude: scalar, radix: 16, minDigits: 4)
  }
}
