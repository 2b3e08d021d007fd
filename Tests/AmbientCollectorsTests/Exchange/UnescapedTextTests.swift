// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AmbientCollectors

@Suite struct `Unescaped text` {
  private func unescaped(_ text: String, isWhole: Bool = true) -> UnescapedText {
    UnescapedText(UnescapedText(plain: Array(text.utf8)), isWhole: isWhole)
  }

  @Test(arguments: [
    ("%41%4a%4A", "AJJ"), ("%4", "%4"), ("%", "%"), ("%4g", "%4g"), ("%g4", "%g4"), ("%%41", "%A"),
    (#"\"\/\\"#, #""/\"#), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), (#"\x\"#, #"\x\"#),
    (#"\u0041\u00e9\u20AC"#, "Aé€"), (#"\u004"#, #"\u004"#), (#"\u00g1"#, #"\u00g1"#),
    (#"\uD83D\uDE00"#, "😀"), (#"\uD83Dx"#, "\u{FFFD}x"), (#"\uDE00x"#, "\u{FFFD}x"),
    (#"\uD83D\u0041"#, "\u{FFFD}A"), (#"\uD83D\uD83D"#, "\u{FFFD}\u{FFFD}"),
    (#"\uD83D/uDE00"#, "\u{FFFD}/uDE00"),
    ("&amp;&lt;&gt;&quot;&apos;", #"&<>"'"#), ("&#65;&#x41;&#X4a;", "AAJ"), ("&#128512;", "😀"),
    ("&nope;", "&nope;"), ("&#;", "&#;"), ("&;", "&;"), ("&#x;", "&#x;"), ("&#g;", "&#g;"),
    ("&#xg;", "&#xg;"), ("&#+65;", "&#+65;"), ("&#-0;", "&#-0;"), ("&#1114112;", "&#1114112;"),
    ("&#xD800;", "&#xD800;"), ("&65;", "&65;"), ("&amp", "&amp"),
    ("&#x000000041;", "A"), ("&#x0000000041;", "&#x0000000041;"),
  ])
  func `UnescapedText replaces each escape by its character`(text: String, meant: String) {
    let result = unescaped(text)
    #expect(String(decoding: result.bytes, as: UTF8.self) == meant)
    #expect(result.length == text.utf8.count)
    // Between others.
    #expect(String(decoding: unescaped("a\(text) b").bytes, as: UTF8.self) == "a\(meant) b")
  }

  @Test func `UnescapedText maps each unescaped byte to its range in the escaped text`() {
    let text = UnescapedText(plain: Array("a%2541".utf8))
    #expect(text.places == [0..<1, 1..<2, 2..<3, 3..<4, 4..<5, 5..<6] && text.length == 6)
    let once = UnescapedText(text)
    #expect(once.places == [0..<1, 1..<4, 4..<5, 5..<6] && once.length == 6)
    let twice = UnescapedText(once)
    #expect(twice.places == [0..<1, 1..<6] && twice.bytes == Array("aA".utf8))
    #expect(UnescapedText(twice).places == twice.places)
    let emoji = unescaped(#"x\uD83D\uDE00y\n&amp;z"#)
    #expect(
      emoji.places == [0..<1] + Array(repeating: 1..<13, count: 4)
        + [13..<14, 14..<16, 16..<21, 21..<22])
  }

  @Test(arguments: [
    "%", "%4", "&", "&a", "&amp", "&#", "&#6", "&#x4", "&abcdefghij", #"\"#, #"\u"#, #"\u0"#,
    #"\u004"#, #"\uD83D"#, #"\uD83D\"#, #"\uD83D\u"#, #"\uD83D\uDE0"#,
  ])
  func `UnescapedText drops an incomplete escape at the end only if the text is truncated`(
    half: String
  ) {
    let text = unescaped("ab\(half)", isWhole: false)
    #expect(text.bytes == Array("ab".utf8) && text.places == [0..<1, 1..<2])
    #expect(text.length == 2 + half.utf8.count)
    #expect(String(decoding: unescaped("ab\(half)").bytes, as: UTF8.self).hasPrefix("ab"))
    #expect(unescaped("ab\(half)").bytes.count > 2)
  }

  @Test(arguments: [
    ("%g", "%g"), ("%41", "A"), ("%4g", "%4g"), ("& x", "& x"), ("&é", "&é"), ("&a-", "&a-"),
    ("&#6.", "&#6."), ("&abcdefghijk", "&abcdefghijk"), (#"\x"#, #"\x"#), (#"\u00g"#, #"\u00g"#),
    (#"\u0041"#, "A"), (#"\u0041\n"#, "A\n"), (#"\uDE00"#, "\u{FFFD}"),
    (#"\uD83Dx"#, "\u{FFFD}x"), (#"\uD83D\x"#, "\u{FFFD}\\x"), (#"\uD83D\uDEg"#, "\u{FFFD}\\uDEg"),
    (#"\uD83D\uDE00"#, "😀"), ("\u{FFFD}.", "\u{FFFD}."), ("x", "x"),
  ])
  func `UnescapedText reads a truncated text to the end if no escape is incomplete`(
    end: String, meant: String
  ) {
    let text = unescaped("ab\(end)", isWhole: false)
    #expect(String(decoding: text.bytes, as: UTF8.self) == "ab\(meant)")
    #expect(text.length == 2 + end.utf8.count)
  }
}
