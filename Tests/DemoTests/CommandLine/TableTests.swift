import Testing

@testable import ambient_demo

@Suite struct `A table` {
  @Test func `lines its columns up, numbers at the right, and ends lines with the text`() {
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

  @Test func `dims its headings and colours what is marked where there is colour`() {
    var table = Table([Table.Column(heading: "what")])
    table.add(["plain"])
    table.add(["marked"], marked: true)
    #expect(
      table.lines(style: Style(isColored: true)) == [
        "\u{1B}[2mwhat\u{1B}[0m", "plain", "\u{1B}[32mmarked\u{1B}[0m",
      ])
    #expect(table.lines(style: .plain) == ["what", "plain", "marked"])
  }
}
