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
    text.withBytes { append(escaping: $0, escaping) }
  }

  mutating func append(escaping source: UnsafeRawBufferPointer, _ escaping: Escaping) {
    let quoted = escaping == .quoted
    // Fast path: usually there is nothing to escape, so the bytes are copied while they are
    // checked.
    if append(unescaped: source, quoted: quoted) { return }
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
    // Eight bytes at a time, as in `topBit`; what one carries to the next comes from special ones
    // only.
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

extension LineBuffer {
  /// Appends the text if no byte of it needs escaping; returns whether it did.
  ///
  /// The fast path: it copies and checks sixteen bytes at a time.
  @inline(__always)
  mutating func append(unescaped source: UnsafeRawBufferPointer, quoted: Bool) -> Bool {
    guard let start = source.baseAddress else { return true }
    let size = source.count
    var isPlain = true
    append(capacity: size) { target in
      // Valid: both have `size` bytes.
      guard let end = target.baseAddress else { return 0 }
      // Specialised for each, so that the loops have no branch on it.
      isPlain =
        quoted
        ? Self.copy(start, to: end, size, quoted: true)
        : Self.copy(start, to: end, size, quoted: false)
      return isPlain ? size : 0
    }
    return isPlain
  }

  @inline(__always)
  private static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ size: Int, quoted: Bool
  ) -> Bool {
    var special = SIMD16<UInt8>.zero
    var place = 0
    while place &+ 16 <= size {
      special |= copySixteen(source + place, to: target + place, quoted)
      place &+= 16
    }
    if size >= 16 {
      // The last sixteen, some of them once more.
      let last = size &- 16
      special |= copySixteen(source + last, to: target + last, quoted)
    } else {
      while place < size {
        let byte = source.load(fromByteOffset: place, as: UInt8.self)
        target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        special[0] |= topBit(of: SIMD16(repeating: byte), quoted)[0]
        place &+= 1
      }
    }
    // Valid: both are sixteen bytes.
    let words = unsafeBitCast(special, to: SIMD2<UInt64>.self)
    return (words[0] | words[1]) & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  private static func copySixteen(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ quoted: Bool
  ) -> SIMD16<UInt8> {
    let bytes = source.loadUnaligned(as: SIMD16<UInt8>.self)
    target.storeBytes(of: bytes, as: SIMD16<UInt8>.self)
    return topBit(of: bytes, quoted)
  }

  /// Bytes whose top bit is set where a special one stands.
  ///
  /// By arithmetic that wraps, since the compiler makes comparisons of vectors byte by byte: a byte
  /// from 0x80 on has its top bit, 0x7F gets it by one more, and one below 0x20 by so many less.
  @inline(__always)
  private static func topBit(of bytes: SIMD16<UInt8>, _ quoted: Bool) -> SIMD16<UInt8> {
    let one = SIMD16<UInt8>(repeating: 1)
    let special = bytes | (bytes &+ one) | (bytes &- SIMD16(repeating: 0x20))
    guard quoted else { return special }
    // Nothing is left of a quotation mark or a backslash, and one less than that has its top bit.
    return special | ((bytes ^ SIMD16(repeating: 0x22)) &- one)
      | ((bytes ^ SIMD16(repeating: 0x5C)) &- one)
  }
}

/// Reads UTF-8 that may be wrong.
enum UTF8Reader {
  /// The scalar of two to four bytes at that place and its length; nil if the bytes are wrong.
  ///
  /// Source of the ranges: The Unicode Standard, table 3-7, well-formed UTF-8 byte sequences.
  static func scalar(
    _ bytes: UnsafeRawBufferPointer, at place: Int
  ) -> (scalar: UInt32, length: Int)? {
    let first = bytes[place]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { second = 0xA0...0xBF }
      if first == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { second = 0x90...0xBF }
      if first == 0xF4 { second = 0x80...0x8F }
    default: return nil
    }
    guard place + length <= bytes.count, second.contains(bytes[place + 1]) else { return nil }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = bytes[place + offset]
      guard 0x80...0xBF ~= byte else { return nil }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return (scalar, length)
  }
}
