// SPDX-License-Identifier: Apache-2.0

internal import Ambient

extension String {
  /// The text, escaped as in a log: without characters that break a line, steer a terminal or are
  /// invisible. Arguments and a shop's file may contain such characters.
  var printable: String { escaped }

  /// Splits the text at spaces and line breaks into lines of at most `width` cells; a text that
  /// fits is not split. A longer word is broken between its ``units``.
  func wrapped(to width: Int) -> [String] {
    guard cellCount > width else { return [self] }
    var lines = [(text: "", cells: 0)]
    var gap = 1
    for word in split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0.isNewline })
    {
      // Two spaces within a line stay, because they may be those of a path.
      guard !word.isEmpty else {
        gap += 1
        continue
      }
      let (last, cells) = (lines[lines.count - 1], String(word).cellCount)
      if last.cells > 0, last.cells + gap + cells <= width {
        let space = String(repeating: " ", count: gap)
        lines[lines.count - 1] = (last.text + space + word, last.cells + gap + cells)
      } else {
        if last.cells > 0 { lines.append(("", 0)) }
        String(word).fill(&lines, width)
      }
      gap = 1
    }
    return lines.map(\.text)
  }

  /// Appends the word to the last line, which is empty, and to as many new lines as it needs.
  private func fill(_ lines: inout [(text: String, cells: Int)], _ width: Int) {
    for unit in units {
      let cells = String(unit).cellCount
      if lines[lines.count - 1].cells + cells > width, !lines[lines.count - 1].text.isEmpty {
        lines.append(("", 0))
      }
      lines[lines.count - 1].text += unit
      lines[lines.count - 1].cells += cells
    }
  }

  /// The text, or its beginning and `…`, in at most `longest` cells.
  func cut(toCells longest: Int) -> String {
    guard cellCount > longest else { return self }
    var (text, count) = ("", 1)
    for unit in units {
      count += String(unit).cellCount
      if count > longest { break }
      text += unit
    }
    return text + "…"
  }

  /// The parts of a ``printable`` text that are not broken: its characters, and escapes such as
  /// `\u001b`.
  private var units: [Substring] {
    var units: [Substring] = []
    var rest = self[...]
    while let first = rest.first {
      let escape =
        first == "\\" ? rest.prefixMatch(of: /\\(u\{[0-9a-f]+\}|u[0-9a-f]{4}|.)/)?.0 : nil
      let unit = escape ?? rest.prefix(1)
      units.append(unit)
      rest = rest[unit.endIndex...]
    }
    return units
  }

  /// The number of cells that the text takes in a terminal. The text must not contain characters
  /// that ``printable`` escapes.
  var cellCount: Int { reduce(0) { $0 + $1.cellCount } }
}

extension Character {
  /// The number of cells that the character takes in a terminal: two for an emoji, otherwise the
  /// sum of its scalars' cells.
  fileprivate var cellCount: Int {
    if unicodeScalars.first?.properties.isEmojiPresentation == true { return 2 }
    return unicodeScalars.contains("\u{FE0F}") ? 2 : unicodeScalars.reduce(0) { $0 + $1.cellCount }
  }
}

extension Unicode.Scalar {
  /// Two for a wide scalar of East Asia, zero for a mark that takes no space and for the later
  /// parts of a Korean syllable, otherwise one.
  fileprivate var cellCount: Int {
    if isASCII { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default:
      if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
      return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }
  }

  /// The ranges of wide characters. Source: Unicode Standard Annex 11, blocks of wide and
  /// full-width characters.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
