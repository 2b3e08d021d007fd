// SPDX-License-Identifier: Apache-2.0

internal import Ambient

extension String {
  /// The text, escaped as in a log: without characters that break a line, steer a terminal or are
  /// invisible. Arguments and a shop's file may contain such characters.
  var printable: String { escaped }

  /// Splits the text at white space into lines of at most `width` cells. A longer word is broken.
  func wrapped(to width: Int) -> [String] {
    guard cellCount > width else { return [self] }
    var lines: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.cellCount + 1 + String(word).cellCount <= width {
        lines[lines.count - 1] += " " + word
        continue
      }
      lines.append("")
      for character in word {
        if lines[lines.count - 1].cellCount + String(character).cellCount > width {
          lines.append("")
        }
        lines[lines.count - 1].append(character)
      }
    }
    return lines.isEmpty ? [""] : lines
  }

  /// The text, or its beginning and `…`, in at most `longest` cells.
  func cut(toCells longest: Int) -> String {
    guard cellCount > longest else { return self }
    var (text, count) = ("", 1)
    for character in self {
      count += character.cellCount
      if count > longest { break }
      text.append(character)
    }
    return text + "…"
  }

  /// The number of cells that the text takes in a terminal. The text must not contain characters
  /// that ``printable`` escapes.
  var cellCount: Int { reduce(0) { $0 + $1.cellCount } }
}

extension Character {
  /// The number of cells that the character takes in a terminal: two for an emoji or a wide
  /// character of East Asia, zero for a combining mark alone, otherwise one.
  fileprivate var cellCount: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  /// The ranges of wide characters. Source: Unicode Standard Annex 11, blocks of wide and
  /// full-width characters.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
  ]
}
