// SPDX-License-Identifier: Apache-2.0

/// Texts that reports must hide, even if a server's answer contains them.
///
/// Secrets are found verbatim, and with the escapes of JSON, URLs and HTML (`\/`, `\u002B`, `%2B`,
/// `&#43;`), even if the text was escaped up to three times. They are not found in base64, nor if
/// the server converted them to upper case. We or the server may have cut the text, so the mere
/// beginning of a secret is hidden, too: at the end of the text, or, if the beginning is long,
/// anywhere.
///
/// A text of fewer than four characters is not hidden: many words contain it, and hiding it would
/// make reports unreadable. The `words` of the initializer are hidden only where ``words(in:)``
/// finds them as whole words.
package struct Secrets: Sendable {
  @Secret private var texts: [[UInt8]]
  @Secret private var words: Set<[UInt8]>

  /// The minimum length of a hidden text: many words contain shorter texts.
  private static var least: Int { 4 }
  /// The least number of bytes of a secret's beginning that are hidden anywhere in a text, not only
  /// at its end. A text that repeats so many bytes does quote the secret.
  private static var leastAnywhere: Int { 16 }

  package init(_ texts: [String] = [], words: Set<[UInt8]> = []) {
    self.words = words
    let long = texts.filter { $0.count >= Self.least }
    // A secret may itself contain text that looks like an escape, so its unescaped forms are
    // hidden, too.
    let meant = long.flatMap { Self.levels(of: $0, isWhole: true).map(\.bytes) }
    self.texts = Array(Set(meant.filter { $0.count >= Self.least }))
  }

  /// Returns the text, followed by its unescaped forms, of which there are at most three.
  private static func levels(of text: String, isWhole: Bool = false) -> [UnescapedText] {
    var levels = [UnescapedText(plain: Array(text.utf8), isWhole: isWhole)]
    while levels.count < 4 {
      let next = UnescapedText(levels[levels.count - 1], isWhole: isWhole)
      if next.bytes == levels[levels.count - 1].bytes { break }
      levels.append(next)
    }
    return levels
  }

  /// The text with `…` in place of each secret.
  package func hidden(in text: String) -> String {
    guard !texts.isEmpty || !words.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let found = Self.levels(of: text).flatMap { places(in: $0) }
    var result: [UInt8] = []
    var end = 0
    for place in found.sorted(by: { $0.lowerBound < $1.lowerBound }) where place.upperBound > end {
      if place.lowerBound >= end {
        result += bytes[end..<place.lowerBound]
        result += "…".utf8
      }
      end = place.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// The ranges of all secrets in the escaped text.
  private func places(in text: UnescapedText) -> [Range<Int>] {
    let hidden = texts.flatMap { secret in
      text.bytes.indices.lazy.filter { text.bytes[$0] == secret[0] }
        .compactMap { Self.place(of: secret, in: text, from: $0) }
    }
    guard !words.isEmpty else { return hidden }
    return hidden
      + Self.words(in: text.bytes[...]).filter { isHidden($0, in: text) }
      .map { text.places[$0.startIndex].lowerBound..<text.places[$0.endIndex - 1].upperBound }
  }

  /// The words of a text: runs of letters and digits, at least three bytes long.
  package static func words(in text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var isSeparator = true
    return text.indices.split { index in
      // A continuation byte belongs to the character of the byte before it.
      if text[index] & 0xC0 != 0x80 { isSeparator = Self.isSeparator(text[index...]) }
      return isSeparator
    }.filter { $0.count >= 3 }.map { text[$0] }
  }

  /// Whether the first character separates words: ASCII except letters and digits, U+0080 to U+00BF
  /// (the signs of Latin-1), U+2000 to U+2FFF (general punctuation and symbols), or U+3000 to
  /// U+303F (Chinese and Japanese punctuation).
  private static func isSeparator(_ text: ArraySlice<UInt8>) -> Bool {
    switch text[text.startIndex] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      false
    case 0xE3: text.dropFirst().first == 0x80
    case let byte: byte < 0x80 || byte == 0xC2 || byte == 0xE2
    }
  }

  /// Whether to hide a word of the text. At the end of a text, where the word may have been cut,
  /// the beginning of a hidden word suffices.
  private func isHidden(_ word: ArraySlice<UInt8>, in text: UnescapedText) -> Bool {
    words.contains(Array(word))
      || word.endIndex == text.bytes.endIndex && words.contains { $0.starts(with: word) }
  }

  private static func place(
    of secret: [UInt8], in text: UnescapedText, from start: Int
  ) -> Range<Int>? {
    let count = zip(secret, text.bytes[start...]).prefix { $0 == $1 }.count
    let (first, end) = (text.places[start].lowerBound, start + count)
    if end == text.bytes.count, count >= least {
      // If the text ends within the secret, the range extends to the end of the escaped text. It
      // thus includes the beginning of a cut escape, which is missing from the unescaped text.
      return first..<(count < secret.count ? text.length : text.places[end - 1].upperBound)
    }
    guard count >= min(leastAnywhere, secret.count) else { return nil }
    return first..<text.places[end - 1].upperBound
  }
}
