// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ambient_demo

@Suite struct `Table layout` {
  @Test func `a table aligns text columns left and number columns right`() {
    var table = Table([
      Table.Column(heading: "what"), Table.Column(heading: "how many", isNumber: true),
      Table.Column(heading: "note"),
    ])
    table.add(["coffee", "2", ""])
    table.add(["é", "1234567890", "rare"])
    #expect(
      table.lines(style: .plain) == [
        "what      how many  note",
        "coffee           2",
        "é       1234567890  rare",
      ])
  }

  @Test func `a table that is too wide wraps its text, but not its numbers`() {
    var table = Table([
      Table.Column(heading: "what"), Table.Column(heading: "price", isNumber: true),
      Table.Column(heading: "a note"),
    ])
    table.add(["tea", "4.50 EUR", "from Uji and from Kagoshima"])
    #expect(
      table.lines(style: Style(isColored: false, width: 30)) == [
        "what     price  a note", "tea   4.50 EUR  from Uji and",
        "                from Kagoshima",
      ])
    // No table is narrower, whatever the width.
    for width in [20, 19, 1] {
      #expect(
        table.lines(style: Style(isColored: false, width: width)) == [
          "what    price a note", "tea  4.50 EUR from", "              Uji", "              and",
          "              from", "              Kagosh", "              ima",
        ])
    }
  }

  @Test func `a table wraps a row that is one cell too wide`() {
    var table = Table([Table.Column(heading: "what"), Table.Column(heading: "a note")])
    table.add(["tea", "from Kyoto"])
    #expect(
      table.lines(style: Style(isColored: false, width: 16))
        == ["what  a note", "tea   from Kyoto"])
    #expect(
      table.lines(style: Style(isColored: false, width: 15))
        == ["what  a note", "tea   from", "      Kyoto"])
  }

  @Test func `in a table that is too wide, the first of two equally wide columns wraps`() {
    var table = Table([Table.Column(heading: "one"), Table.Column(heading: "two")])
    table.add(["aaa bbb", "ccc ddd"])
    #expect(
      table.lines(style: Style(isColored: false, width: 15))
        == ["one     two", "aaa     ccc ddd", "bbb"])
  }

  @Test func `a table dims its headings and colors its marked rows`() {
    var table = Table([Table.Column(heading: "what")])
    table.add(["plain"])
    table.add(["marked"], marked: true)
    #expect(
      table.lines(style: Style(isColored: true)) == [
        "\u{1B}[2mwhat\u{1B}[0m", "plain", "\u{1B}[32mmarked\u{1B}[0m",
      ])
    #expect(table.lines(style: .plain) == ["what", "plain", "marked"])
  }

  @Test func `a table aligns by terminal cells, not by characters`() {
    var table = Table([
      Table.Column(heading: "what"), Table.Column(heading: "n", isNumber: true),
    ])
    for name in ["抹茶", "café", "🍵", "👩‍🍳", "한국", "☎️"] { table.add([name, "1"]) }
    #expect(
      table.lines(style: .plain) == [
        "what  n", "抹茶  1", "café  1", "🍵    1", "👩‍🍳    1", "한국  1", "☎️    1",
      ])
  }

  @Test(arguments: [
    ("", 0), ("a", 1), ("\u{301}", 0), ("e\u{301}", 1), ("☎", 1), ("☎️", 2), ("抹", 2),
    ("नमस्ते", 4), ("क्ष", 2), ("का", 2), ("กำ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("🇯🇵", 2),
    ("䷀", 2), ("〈", 2),
  ])
  func `cellCount counts the terminal cells of a text`(text: String, cells: Int) {
    #expect(text.cellCount == cells)
  }

  @Test(arguments: [
    ("a  b", 4, ["a  b"]), ("a  b c", 5, ["a  b", "c"]), ("a  b c", 4, ["a  b", "c"]),
    ("aa bb cc", 5, ["aa bb", "cc"]),
    ("abcdef", 4, ["abcd", "ef"]), ("ab cdefgh", 4, ["ab", "cdef", "gh"]), ("     ", 4, [""]),
    ("抹茶 茶", 4, ["抹茶", "茶"]), ("抹茶抹", 3, ["抹", "茶", "抹"]), ("a\nbc", 3, ["a", "bc"]),
    (#"a\u001b\u001b"#, 8, [#"a\u001b"#, #"\u001b"#]), (#"\u{e0067}x"#, 3, [#"\u{e0067}"#, "x"]),
    (#"C:\new"#, 4, [#"C:\n"#, "ew"]),
  ])
  func `wrapped text breaks between words and splits long words`(
    text: String, width: Int, lines: [String]
  ) {
    #expect(text.wrapped(to: width) == lines)
  }

  @Test(arguments: [
    ("coffee", 6, "coffee"), ("coffee!", 6, "coffe…"), ("抹茶抹茶", 6, "抹茶…"), ("抹茶", 4, "抹茶"),
    ("👩‍🍳 bakes", 4, "👩‍🍳 …"), ("", 0, ""),
  ])
  func `text is truncated to a number of terminal cells`(text: String, longest: Int, cut: String) {
    #expect(text.cut(toCells: longest) == cut)
  }

  @Test(arguments: [
    ("plain é 抹茶 👩‍🍳", "plain é 抹茶 👩‍🍳"), ("a\nb\r\tc", "a\\nb\\r\\tc"),
    ("\u{1B}[31m\u{7F}\u{9B}", "\\u001b[31m\\u007f\\u009b"),
    ("\u{202E}\u{2028}", "\\u202e\\u2028"),
  ])
  func `String.printable escapes control characters`(text: String, printable: String) {
    #expect(text.printable == printable)
  }
}
