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
          tell                Tell a story. This is what happens when no command is
                              named.
          sell                Sell something.
          help [COMMAND]      Show this help, or that of a command.

        Options:
          --help, -h          Show this help.
          --version           Show the version.

        shop help COMMAND says more of a command. Results go to standard output, logs
        and errors to standard error. The exit status is 0, 1 if it could not be done,
        or 64 if the words on the command line were wrong.

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
    let text = Help(program: .example, style: Style(isColored: true)).text(for: nil)
    #expect(text.contains("\u{1B}[1mUsage:\u{1B}[0m shop"))
    #expect(!help.text(for: nil).contains("\u{1B}"))
  }

  @Test(arguments: [60, 80])
  func `of the real program fits the width`(width: Int) {
    let help = Help(program: AmbientDemo.program, style: Style(isColored: false, width: width))
    let texts = [help.text(for: nil)] + AmbientDemo.program.commands.map { help.text(for: $0) }
    for line in texts.flatMap({ $0.split(separator: "\n") }) {
      #expect(line.count <= width, "\(line)")
    }
  }
}
