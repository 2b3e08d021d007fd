/// Texts that no report shows, whatever a server answers.
///
/// They are found as they are, and as JSON and addresses escape them (`\/`, `\u002B`, `%2B`). A
/// server's words may have been cut, by us or by the server: so the beginning of a secret is
/// hidden, too, where a text ends with it, or if it is long.
struct Secrets: Sendable {
  private let texts: [[UInt8]]
  /// What one may begin with, by its byte: most places of a text need no closer look.
  private let isStart: [Bool]

  /// Fewer characters of one say nothing, and many texts end with them.
  private static var leastAtEnd: Int { 4 }
  /// So many, anywhere, are there by no chance.
  private static var leastAnywhere: Int { 16 }

  init(_ texts: [String] = []) {
    self.texts = texts.filter { !$0.isEmpty }.map { Array($0.utf8) }
    let starts = Set(self.texts.map { $0[0] } + [EscapedByte.backslash, EscapedByte.percent])
    isStart = (0...255).map { starts.contains($0) }
  }

  /// The text with `…` in place of each.
  func hidden(in text: String) -> String {
    guard !texts.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if isStart[Int(bytes[place])], let end = end(in: bytes, from: place) {
        result += "…".utf8
        place = end
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Where the longest ends that begins there; nil if none does.
  private func end(in bytes: [UInt8], from start: Int) -> Int? {
    // One may itself have what looks like an escape.
    texts.flatMap { text in
      [false, true].compactMap { Self.end(of: text, in: bytes, from: start, isEscaped: $0) }
    }.max()
  }

  private static func end(
    of secret: [UInt8], in bytes: [UInt8], from start: Int, isEscaped: Bool
  ) -> Int? {
    var (place, count) = (start, 0)
    while count < secret.count {
      let rest = secret[count...]
      if isEscaped, let escaped = EscapedByte(bytes, at: place), rest.starts(with: escaped.bytes) {
        place = escaped.end
        count += escaped.bytes.count
      } else if place < bytes.count, bytes[place] == rest.first {
        place += 1
        count += 1
      } else if count >= leastAtEnd, place == bytes.count || EscapedByte.isCut(bytes, at: place) {
        return bytes.count
      } else {
        return count >= leastAnywhere ? place : nil
      }
    }
    return place
  }
}

extension Secrets: CustomStringConvertible, CustomReflectable {
  /// The name of the type.
  var description: String { "Secrets" }

  /// Nothing.
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// What an escape of JSON (RFC 8259, 7) or of an address (RFC 3986, 2.1) stands for.
private struct EscapedByte {
  /// In UTF-8: a `\u` may be of a character that has several.
  let bytes: [UInt8]
  /// Where it ends.
  let end: Int

  static var backslash: UInt8 { UInt8(ascii: "\\") }
  static var percent: UInt8 { UInt8(ascii: "%") }

  /// Nil if there is none.
  init?(_ text: [UInt8], at start: Int) {
    guard start + 1 < text.count else { return nil }
    switch (text[start], text[start + 1]) {
    case (Self.percent, _):
      guard let value = Self.number(text, at: start + 1, 2) else { return nil }
      (bytes, end) = ([UInt8(truncatingIfNeeded: value)], start + 3)
    case (Self.backslash, UInt8(ascii: "u")):
      guard let first = Self.number(text, at: start + 2, 4) else { return nil }
      var units = [first]
      // Half of a pair has the other behind it.
      if UTF16.isLeadSurrogate(first), let second = Self.number(text, at: start + 8, 4) {
        units.append(second)
      }
      bytes = Array(String(decoding: units, as: UTF16.self).utf8)
      end = start + 6 * units.count
    case (Self.backslash, let letter):
      // What stands for itself, and `b`, `f`, `n`, `r`, `t`.
      let known: [UInt8: UInt8] = [
        34: 34, 47: 47, 92: 92, 98: 8, 102: 12, 110: 10, 114: 13, 116: 9,
      ]
      guard let byte = known[letter] else { return nil }
      (bytes, end) = ([byte], start + 2)
    default: return nil
    }
  }

  private static func number(_ text: [UInt8], at start: Int, _ count: Int) -> UInt16? {
    guard start + count <= text.count else { return nil }
    return UInt16(String(decoding: text[start..<start + count], as: UTF8.self), radix: 16)
  }

  /// Whether the text ends within one.
  static func isCut(_ text: [UInt8], at start: Int) -> Bool {
    guard start < text.count, text.count - start < 6 else { return false }
    return text[start] == percent && text.count - start < 3 || text[start] == backslash
  }
}
