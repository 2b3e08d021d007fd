import Testing

@testable import ambient_demo

@Suite struct `The help` {
  private let help = Help(program: .example, style: .plain)

  @Test func `of the program lists the commands and its options`() {
    #expect(
      help.text(for: nil) == """
        A shop on the command line, made for tests.

        Usage: shop [COMMAND] [OPTION …]

        Commands:
          tell                Tell a story. The default.
          sell                Sell something.
          help [COMMAND]      Show this help, or that of a command.

        Options:
          --help, -h          Show this help.
          --version           Show the version.

        Results go to standard output, logs and errors to standard error. The exit
        status is 0, 1 if it could not be done, or 64 for wrong words.

        """)
  }

  @Test func `of a command follows from its row in the table`() {
    #expect(
      help.text(for: Program.example.commands[1]) == """
        Sell something.

        Usage: shop sell [--item SKU] … [--into DIR] [--quiet] [--level LEVEL]
            [--surprise YES_OR_NO]

        What is sold is gone: there is no way to bring it back, and nobody who would
        want to try.

        Nor is there a discount.

        Options:
          --item SKU          What is sold.
          --into DIR          Where it is written.
          --quiet             Say nothing.
          --level LEVEL       How loud it is. One of low, high.
          --surprise YES_OR_NO
                              Whether the buyer should be surprised.
          --help, -h          Show this help.
          --version           Show the version.

        """)
  }

  @Test func `emphasizes headings where there is colour`() {
    let colored = Help(program: .example, style: Style(isColored: true))
    #expect(colored.text(for: nil).contains("\u{1B}[1mUsage:\u{1B}[0m shop"))
    let sell = Program.example.command(named: ["sell"])
    #expect(colored.text(for: sell).contains("\u{1B}[1mUsage:\u{1B}[0m shop sell"))
    #expect(!help.text(for: nil).contains("\u{1B}"))
  }

  @Test(arguments: [nil] + AmbientDemo.program.commands.map(\.name))
  func `of the real program stands on a screen`(name: String?) {
    let help = Help(program: AmbientDemo.program, style: .plain)
    let command = AmbientDemo.program.commands.first { $0.name == name }
    #expect(help.text(for: command).count { $0 == "\n" } <= Help.screen)
  }

  @Test func `is whole if a line of the screen is left, and brief if not`() {
    var counts: Set<Int> = []
    for number in 0..<30 {
      let options = (0..<number).map { Option("--o\($0)", help: "It is there.") }
      let command = Command(
        name: "x", summary: "Do it.", details: "", options: options, prepare: { _ in .idle })
      let whole = help.text(for: command, isWhole: true)
      let lines = whole.count { $0 == "\n" }
      #expect((help.text(for: command) == whole) == (lines < 24), "\(lines)")
      counts.insert(lines)
    }
    #expect(counts.isSuperset(of: [23, 24]))
  }

  /// Of 60 cells, “Usage: shop x ” leaves 46, and the brackets and dashes of an option take four.
  @Test(arguments: [(42, 1), (43, 2)])
  func `has lines of usage that are full to the last cell`(letters: Int, lines: Int) {
    let option = Option("--" + String(repeating: "a", count: letters), help: "It is there.")
    let command = Command(
      name: "x", summary: "Do it.", details: "", options: [option], prepare: { _ in .idle })
    let help = Help(program: .example, style: Style(isColored: false, width: 60))
    let usage = help.text(for: command).split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("Usage:") }.prefix { !$0.isEmpty }
    #expect(usage.count == lines && usage.allSatisfy { $0.count <= 60 })
  }

  @Test func `leaves out what only the whole help has, and says so`() throws {
    let help = Help(program: AmbientDemo.program, style: .plain)
    let checkout = try #require(AmbientDemo.program.command(named: ["checkout"]))
    #expect(!help.text(for: checkout).contains("--log-rotate"))
    #expect(help.text(for: checkout).contains("--help --all"))
    #expect(help.text(for: checkout, isWhole: true).contains("--log-rotate"))
  }

  @Test(arguments: AmbientDemo.program.commands.map(\.name))
  func `has examples that the program understands`(name: String) throws {
    let command = try #require(AmbientDemo.program.commands.first { $0.name == name })
    for example in command.examples {
      // What stands behind is for the shell; a text between quotation marks is one word.
      let line = example.split(separator: " >")[0].split(separator: " |")[0]
      let words = line.replacing("\"4.50 USD\"", with: "4.50").split(separator: " ").map(
        String.init)
      #expect(throws: Never.self) { try AmbientDemo.program.parse(words) }
    }
  }

  @Test(arguments: [60, 80])
  func `of the real program fits the width`(width: Int) {
    let help = Help(program: AmbientDemo.program, style: Style(isColored: false, width: width))
    let commands = AmbientDemo.program.commands
    let texts =
      [help.text(for: nil)] + commands.map { help.text(for: $0) }
      + commands.map { help.text(for: $0, isWhole: true) }
    for line in texts.flatMap({ $0.split(separator: "\n") }) {
      #expect(line.count <= width, "\(line)")
    }
  }
}
