// SPDX-License-Identifier: Apache-2.0

extension LineBuffer {
  /// The kinds of escaping: for text outside quotation marks, and for text between them.
  enum Escaping {
    /// Text outside quotation marks: characters that end a line or steer a terminal are escaped.
    case bare
    /// Text between quotation marks, as in JSON.
    case quoted
  }

  /// Appends the text so that it stays on the line and cannot steer a terminal.
  ///
  /// Control characters, invisible characters (``UnseenScalar``) and invalid UTF-8 are escaped.
  mutating func append(escaping text: String, _ escaping: Escaping) {
    text.withBytes { append(escaping: $0, escaping) }
  }

  mutating func append(escaping source: UnsafeRawBufferPointer, _ escaping: Escaping) {
    let quoted = escaping == .quoted
    // Fast path: usually no byte needs an escape, so bytes are checked while they are copied.
    if append(unescaped: source, quoted ? .quoted : .bare) { return }
    append(special: source, quoted: quoted)
  }

  /// Appends the message of a record. In the line, pairs such as ` name=value` follow the message.
  /// If a part of the message looks like the beginning of a pair (`name=`), quotes the message.
  mutating func append(message source: UnsafeRawBufferPointer) {
    if append(unescaped: source, .message) { return }
    append(specialMessage: source)
  }

  @inline(never)
  private mutating func append(specialMessage source: UnsafeRawBufferPointer) {
    if EscapeScan.holdsName(source) { return append(quoted: source) }
    append(escaping: source, .bare)
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

  /// Returns the number of consecutive bytes, from `start` on, that are printable ASCII and need no
  /// escape.
  @inline(__always)
  private static func plainCount(
    _ source: UnsafeRawBufferPointer, from start: Int, quoted: Bool
  ) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var place = start
    // The loop checks eight bytes at a time. Like `topBit`, the arithmetic sets the top bit of each
    // special byte: a byte that is not printable ASCII, or that needs an escape. A carry or borrow
    // may set the top bits of later bytes, too. This does no harm, because it can only come out of
    // a special byte, which ends the loop anyway.
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

  /// Appends one character that `plainCount` does not count, with an escape if it needs one.
  /// Returns the length of the character in `source`, in bytes.
  mutating func append(
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
    case ..<0x80: append(escape: UInt32(byte), quoted: quoted)
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
      if UnseenScalar.isEscaped(scalar, length, in: source, at: place) {
        append(escape: scalar, quoted: quoted)
      } else {
        append(UnsafeRawBufferPointer(rebasing: source[place..<place + length]))
      }
      return length
    }
    return 1
  }

  /// Appends an escape such as `\u200b`. Beyond U+FFFF, quoted text gets a surrogate pair, as JSON
  /// requires, and other text the form `\u{e0041}`.
  private mutating func append(escape scalar: UInt32, quoted: Bool) {
    guard scalar > 0xFFFF else { return append(unit: scalar) }
    if quoted {
      append(unit: 0xD7C0 + scalar >> 10)
      append(unit: 0xDC00 + scalar & 0x3FF)
    } else {
      append("\\u{")
      append(magnitude: UInt64(scalar), radix: 16, minDigits: 4)
      append(UInt8(ascii: "}"))
    }
  }

  private mutating func append(unit: UInt32) {
    append("\\u")
    append(magnitude: UInt64(unit), radix: 16, minDigits: 4)
  }
}

extension LineBuffer {
  /// The sets of bytes that end the fast path. Each set also contains the bytes that
  /// ``Escaping/bare`` escapes.
  private enum Specials {
    case bare
    /// The quotation mark and the backslash.
    case quoted
    /// The equals sign. A message with text such as `name=` must be quoted, because ` name=value`
    /// pairs follow the message in the line.
    case message
  }

  /// Appends the text and returns true if no byte needs an escape. Otherwise appends nothing and
  /// returns false.
  ///
  /// This is the fast path: it copies and checks sixteen bytes at a time.
  @inline(__always)
  private mutating func append(unescaped source: UnsafeRawBufferPointer, _ specials: Specials)
    -> Bool
  {
    guard let start = source.baseAddress else { return true }
    let size = source.count
    var isPlain = true
    append(capacity: size) { target in
      // The copies are valid, since `start` and `end` point to `size` bytes each.
      guard let end = target.baseAddress else { return 0 }
      // Each case has its own call with a constant, so that the compiler specialises `copy` and its
      // loops do not branch on the case.
      isPlain =
        switch specials {
        case .bare: Self.copy(start, to: end, size, .bare)
        case .quoted: Self.copy(start, to: end, size, .quoted)
        case .message: Self.copy(start, to: end, size, .message)
        }
      return isPlain ? size : 0
    }
    return isPlain
  }

  @inline(__always)
  private static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ size: Int,
    _ specials: Specials
  ) -> Bool {
    var special = SIMD16<UInt8>.zero
    var place = 0
    // Copies two blocks per iteration, because the loop's overhead per iteration equals the cost of
    // one block.
    while place &+ 32 <= size {
      special |= copySixteen(source + place, to: target + place, specials)
      special |= copySixteen(source + place + 16, to: target + place + 16, specials)
      place &+= 32
    }
    if place &+ 16 <= size {
      special |= copySixteen(source + place, to: target + place, specials)
    }
    if size >= 16 {
      // Copies the last sixteen bytes, some of which the previous block may have copied.
      let last = size &- 16
      special |= copySixteen(source + last, to: target + last, specials)
    } else {
      while place < size {
        let byte = source.load(fromByteOffset: place, as: UInt8.self)
        target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        special[0] |= topBit(of: SIMD16(repeating: byte), specials)[0]
        place &+= 1
      }
    }
    // The cast is valid, since both types have sixteen bytes.
    let words = unsafeBitCast(special, to: SIMD2<UInt64>.self)
    return (words[0] | words[1]) & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  private static func copySixteen(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ specials: Specials
  ) -> SIMD16<UInt8> {
    let bytes = source.loadUnaligned(as: SIMD16<UInt8>.self)
    target.storeBytes(of: bytes, as: SIMD16<UInt8>.self)
    return topBit(of: bytes, specials)
  }

  /// Sets the top bit of each special byte.
  ///
  /// Uses wrapping arithmetic instead of comparisons, because the compiler turns a comparison of
  /// vectors into slow code that compares one byte at a time. Subtracting 0x20 sets the top bit of
  /// bytes below 0x20, and of bytes from 0xA0 on. Adding 0x21 to the difference sets the top bit of
  /// bytes from 0x7F to 0xFE.
  @inline(__always)
  private static func topBit(of bytes: SIMD16<UInt8>, _ specials: Specials) -> SIMD16<UInt8> {
    let moved = bytes &- SIMD16(repeating: 0x20)
    let special = moved | (moved &+ SIMD16(repeating: 0x21))
    return switch specials {
    case .bare: special
    case .message: special | topBit(of: bytes, at: UInt8(ascii: "="))
    case .quoted: special | topBit(of: bytes, at: 0x22) | topBit(of: bytes, at: 0x5C)
    }
  }

  /// Sets the top bit of bytes equal to `byte`: XOR makes these bytes zero, and zero minus one is
  /// 0xFF. The top bit of most non-ASCII bytes is set, too; they are special anyway.
  @inline(__always)
  private static func topBit(of bytes: SIMD16<UInt8>, at byte: UInt8) -> SIMD16<UInt8> {
    (bytes ^ SIMD16(repeating: byte)) &- SIMD16(repeating: 1)
  }
}
