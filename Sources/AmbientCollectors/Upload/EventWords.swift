// SPDX-License-Identifier: Apache-2.0

/// The words that a server's answer may repeat, and that reports hide: the words of events' users
/// and properties, and of log records' messages and metadata.
///
/// Not hidden are the names of events and of fields, the identifiers and times of events and
/// records, and the levels and sources of records.
enum EventWords {
  private static let shown: Set = ["id", "time", "event", "level", "source", "function"]

  /// The words of a queue's lines.
  static func of(_ lines: [[UInt8]]) -> Set<[UInt8]> {
    var words: Set<[UInt8]> = []
    for line in lines { add(line, to: &words) }
    return words
  }

  /// Adds the words of the line's texts and numbers. A text before a colon is a field's name, which
  /// is not added.
  private static func add(_ line: [UInt8], to words: inout Set<[UInt8]>) {
    var (place, depth, isShown) = (0, 0, true)
    while place < line.count {
      let start = place
      place += 1
      switch line[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        place = JSONMemberReader.endOfText(in: line[...], at: start) ?? line.count + 1
        let text = line[(start + 1)..<(place - 1)]
        if place < line.count, line[place] == UInt8(ascii: ":") {
          if depth == 1 { isShown = shown.contains(String(decoding: text, as: UTF8.self)) }
        } else if !isShown {
          add(wordsOf: text, to: &words)
        }
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = line[start...].prefix { (48...57).contains($0) }
        place = number.endIndex
        if !isShown { add(wordsOf: number, to: &words) }
      default: break
      }
    }
  }

  private static func add(wordsOf text: ArraySlice<UInt8>, to words: inout Set<[UInt8]>) {
    // The characters that follow the backslash of an escape, such as `n` or `u00e9`, are not part
    // of a word.
    let parts = text.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
    var isEscape = false
    for part in parts {
      let escape = !isEscape ? 0 : part.first == UInt8(ascii: "u") ? 5 : 1
      for word in Secrets.words(in: part.dropFirst(escape)) { words.insert(Array(word)) }
      // Two backslashes are one escape, after which a text begins.
      isEscape = !(isEscape && part.isEmpty)
    }
  }
}
