// SPDX-License-Identifier: Apache-2.0

/// The form of a text, which decides how the text is copied into a line.
enum TextForm: UInt8 {
  /// The text must be examined byte by byte before it is copied.
  case special
  /// The text is copied unchanged and without quotation marks, except that JSON puts strings and
  /// dates between quotation marks.
  case plain
  /// The text is copied unchanged, between quotation marks.
  case quotable
}

/// Checks whether a text may be copied unchanged into a line: as an unquoted value, as a name, or
/// as a string in JSON.
enum EscapeScan {
  /// How the text may be copied. A text that is not plain is checked further only if it has 8 to 32
  /// bytes; otherwise it is `special`, and is examined when it is copied.
  @inline(__always)
  static func form(of bytes: UnsafeRawBufferPointer) -> TextForm {
    if isPlain(bytes) { return looksLikeOther(bytes) ? .quotable : .plain }
    return isQuotable(bytes) ? .quotable : .special
  }

  @inline(__always)
  private static func isQuotable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The loads below are valid: the guard ensures at least eight bytes, and each load lies within
    // the bytes.
    guard bytes.count >= 8, bytes.count <= 32 else { return false }
    let ones: UInt64 = 0x0101_0101_0101_0101
    var found: UInt64 = 0
    var place = 0
    // The loop checks eight bytes at a time; the last load may overlap the one before. Printable
    // ASCII other than `"` and `\` passes. Any other byte sets its top bit in `found`. A borrow or
    // carry out of such a byte may also set the top bits of later bytes, which does no harm,
    // because the text has failed already.
    while place < bytes.count {
      let word = bytes.loadUnaligned(
        fromByteOffset: min(place, bytes.count &- 8), as: UInt64.self)
      found |= word | (word &+ ones) | (word &- ones &* 0x20)
      found |= ((word ^ (ones &* 0x22)) &- ones) | ((word ^ (ones &* 0x5C)) &- ones)
      place &+= 8
    }
    return found & (ones &* 0x80) == 0
  }

  /// Whether each byte is printable ASCII other than space, quotation mark, equals sign and
  /// backslash.
  ///
  /// Compares eight bytes at a time. Returns false for an empty text.
  @inline(__always)
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Valid: each load lies within the bytes; the last word may overlap the one before it.
    switch bytes.count {
    case 8...:
      var place = 0
      while place &+ 8 < bytes.count {
        if !isPlain(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return false }
        place &+= 8
      }
      return isPlain(bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self))
    case 4..<8:
      let first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let last = bytes.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self)
      return isPlain(UInt64(first) | UInt64(last) << 32)
    case 1..<4: return isPlain(word(ofUpToThree: bytes))
    default: return false
    }
  }

  /// Returns one to three bytes as a 64-bit word, padded with plain bytes.
  @inline(__always)
  static func word(ofUpToThree bytes: UnsafeRawBufferPointer) -> UInt64 {
    let first = UInt64(bytes[0])
    let middle = UInt64(bytes[bytes.count / 2])
    let last = UInt64(bytes[bytes.count &- 1])
    return 0x7878_7878_7800_0000 | last << 16 | middle << 8 | first
  }

  /// Whether a text consists of bytes that may occur in an unquoted value, and does not look like
  /// another kind of value. Backslashes are allowed, because an unquoted value is not escaped;
  /// ``isPlain(_:)`` excludes them, because JSON escapes them.
  @inline(never)
  static func isBareWord(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(isBare) && !looksLikeOther(bytes)
  }

  /// Whether the byte may occur in a name, or in an unquoted value.
  static func isBare(_ byte: UInt8) -> Bool {
    byte &- 0x21 < 0x5E && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
  }

  /// Whether the text contains a name followed by an equals sign.
  static func holdsName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.indices.dropFirst().contains { place in
      bytes[place] == UInt8(ascii: "=") && (isBare(bytes[place - 1]) || bytes[place - 1] >= 0x80)
    }
  }

  /// Whether the text looks like a value of another kind, such as a number; for most texts, the
  /// first byte rules that out.
  @inline(__always)
  private static func looksLikeOther(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let first = bytes[0]
    let mask = first < 64 ? startsBelow64 : startsFrom64
    return mask &>> UInt64(first & 63) & 1 != 0 && isOther(bytes)
  }

  /// A mask with a bit for each byte below 64 with which a number may start: `+-.` and digits.
  private static var startsBelow64: UInt64 { 0x03FF_6800_0000_0000 }

  /// A mask with a bit for each byte from 64 to 127 with which a value other than a text may start:
  /// `[`, `{` and the letters `INSfinst`, as in `null`, `true`, `false`, `nan` and `inf`.
  private static var startsFrom64: UInt64 { 0x0818_4240_0808_4200 }

  @inline(never)
  private static func isOther(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes[0] {
    case UInt8(ascii: "n"): bytes.elementsEqual("null".utf8) || isNumberInLetters(bytes)
    case UInt8(ascii: "t"): bytes.elementsEqual("true".utf8)
    case UInt8(ascii: "f"): bytes.elementsEqual("false".utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      isNumber(bytes)
    case UInt8(ascii: "N"), UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "s"),
      UInt8(ascii: "S"):
      isNumberInLetters(bytes)
    case UInt8(ascii: "["), UInt8(ascii: "{"): true
    default: false
    }
  }

  /// Whether the text is a form of `nan` or `inf`, in letters of either case: `snan`, `nan(0x1)`,
  /// `Infinity`.
  @inline(never)
  private static func isNumberInLetters(_ bytes: UnsafeRawBufferPointer) -> Bool {
    func isWord(_ word: StaticString, from place: Int) -> Bool {
      word.withUTF8Buffer { word in
        // Setting the bit 0x20 converts a letter to lower case.
        bytes.count >= place + word.count
          && word.indices.allSatisfy { bytes[place + $0] | 0x20 == word[$0] }
      }
    }
    if isWord("inf", from: 0) {
      return bytes.count == 3 || bytes.count == 8 && isWord("infinity", from: 0)
    }
    let start = bytes[0] | 0x20 == UInt8(ascii: "s") ? 1 : 0
    return isWord("nan", from: start)
      && (bytes.count == start + 3 || bytes[start + 3] == UInt8(ascii: "("))
  }

  @inline(never)
  private static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Fast path: all digits, like most order and customer numbers.
    if bytes.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) { return true }
    // Fast path: identifiers and dates have a hyphen where no number has one. Other texts are
    // parsed, which needs memory for a long text.
    for place in 1..<bytes.count where bytes[place] == UInt8(ascii: "-") {
      let exponent = bytes[place - 1] | 0x20
      guard exponent == UInt8(ascii: "e") || exponent == UInt8(ascii: "p") else { return false }
    }
    return Double(String(decoding: bytes, as: UTF8.self)) != nil
  }

  /// Whether all eight bytes are plain.
  ///
  /// In `found`, each byte that is not plain has its top bit set. A borrow or carry out of it may
  /// also set the top bit of the next byte, which does no harm, because one bit is set already.
  @inline(__always)
  static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = (word &- ones &* 0x21) & ~word
    let high = word | (word &+ ones)
    let quotation = word ^ (ones &* 0x22)
    let equals = word ^ (ones &* 0x3D)
    let backslash = word ^ (ones &* 0x5C)
    let found =
      low | high | ((quotation &- ones) & ~quotation) | ((equals &- ones) & ~equals)
      | ((backslash &- ones) & ~backslash)
    return found & (ones &* 0x80) == 0
  }
}
