// SPDX-License-Identifier: Apache-2.0

/// The characters beyond ASCII that every format escapes in its lines: invisible characters, and
/// characters that end a line or change its direction.
///
/// The properties of Unicode decide. Escaped are control characters, line and paragraph separators,
/// format characters (`Cf`), and default-ignorable characters, such as fillers and variation
/// selectors. There are two exceptions: a joiner between letters, marks and emoji beyond ASCII is
/// not escaped, nor is a variation selector after a base character with which Unicode allows it.
enum UnseenScalar {
  /// Returns whether the scalar must be escaped. It has `length` bytes in `text`, from `place` on.
  static func isEscaped(
    _ scalar: UInt32, _ length: Int, in text: UnsafeRawBufferPointer, at place: Int
  ) -> Bool {
    switch scalar {
    case ..<0xA0: return true
    // Fast path: decides for the most frequent ranges without looking up properties.
    case 0xA0..<0x300: return scalar == 0xAD
    case 0x370..<0x600, 0x4E00...0x9FFF, 0xAC00...0xD7A3: return false
    case 0x200C, 0x200D: return !isJoiner(before: place + length, after: place, in: text)
    case 0xFE00...0xFE0F, 0x180B...0x180D, 0x180F:
      return !isSelector(scalar, before: place + length, after: place, in: text)
    default:
      guard let properties = Unicode.Scalar(scalar)?.properties else { return true }
      return properties.isDefaultIgnorableCodePoint || isFormat(properties.generalCategory)
    }
  }

  private static func isFormat(_ category: Unicode.GeneralCategory) -> Bool {
    switch category {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Returns whether a joiner is between two characters that can be joined. The joiner, U+200D
  /// (zero-width joiner) or U+200C (zero-width non-joiner), takes the bytes from `start` up to
  /// `end`. ASCII letters count as not joinable, since a joiner has no effect between them.
  private static func isJoiner(
    before end: Int, after start: Int, in text: UnsafeRawBufferPointer
  ) -> Bool {
    func joins(_ scalar: Unicode.Scalar?) -> Bool {
      guard let scalar, !scalar.isASCII else { return false }
      let properties = scalar.properties
      // Default-ignorable characters cannot be joined, since they are escaped. Fillers are among
      // them, although fillers are alphabetic.
      return !properties.isDefaultIgnorableCodePoint
        && (properties.isAlphabetic || properties.isEmoji || isMark(properties.generalCategory))
    }
    guard joins(self.scalar(at: end, in: text)),
      let (last, place) = self.scalar(endingAt: start, in: text)
    else { return false }
    return joins(last) || isSelector(last.value, before: start, after: place, in: text)
  }

  /// Returns whether the variation selector follows a base character with which it may be used.
  ///
  /// U+FE0E and U+FE0F may follow an emoji. They may also follow a digit, `#` or `*`, if U+20E3
  /// comes next, which makes a keycap of these characters. Other selectors may follow a letter or a
  /// mathematical sign, both beyond ASCII.
  private static func isSelector(
    _ selector: UInt32, before end: Int, after start: Int, in text: UnsafeRawBufferPointer
  ) -> Bool {
    guard let (base, _) = scalar(endingAt: start, in: text) else { return false }
    let properties = base.properties
    switch selector {
    case 0xFE0E, 0xFE0F:
      return properties.isEmoji && (!base.isASCII || scalar(at: end, in: text) == "\u{20E3}")
    case 0xFE00...0xFE0D, 0x180B...0x180D, 0x180F:
      guard !base.isASCII, !properties.isDefaultIgnorableCodePoint else { return false }
      let category = properties.generalCategory
      return category == .mathSymbol || properties.isAlphabetic && !isMark(category)
    default: return false
    }
  }

  private static func isMark(_ category: Unicode.GeneralCategory) -> Bool {
    switch category {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func scalar(at place: Int, in text: UnsafeRawBufferPointer) -> Unicode.Scalar? {
    guard place < text.count else { return nil }
    if text[place] < 0x80 { return Unicode.Scalar(text[place]) }
    return UTF8Reader.scalar(text, at: place).flatMap { Unicode.Scalar($0.scalar) }
  }

  /// Returns the character that ends before the offset `end`, and the offset at which it begins.
  private static func scalar(
    endingAt end: Int, in text: UnsafeRawBufferPointer
  ) -> (Unicode.Scalar, place: Int)? {
    var start = end - 1
    // Goes back over UTF-8 continuation bytes, whose upper two bits are 10.
    while start > 0, start > end - 4, text[start] & 0xC0 == 0x80 { start -= 1 }
    return start < 0 ? nil : scalar(at: start, in: text).map { ($0, start) }
  }
}
