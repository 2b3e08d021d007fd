// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ambient_demo

@Suite struct `Help texts` {
  private let help = Help(program: .example, style: .plain)

  @Test func `the demo program's help lists its commands and options`() {
    #expect(
      help.text(for: nil) == """
        A shop on the command line, made for tests.

        Usage: shop [COMMAND] [OPTION …]

        Commands:
          tell                Tell a story. The default.
          sell                Sell something.
          help [COMMAND]      Show this help, or the help of a command.

        Options:
          --help, -h          Show this help.
          --version           Show the version.

        Results go to standard output, logs and errors to standard error. The exit
        status is 0 for success, 1 for a failure, and 64 for a usage error.

        """)
  }

  @Test func `a command's help is built from its definition`() {
    #expect(
      help.text(for: Program.example.commands[1]) == """
        Sell something.

        Usage: shop sell WHO --into DIR [--item SKU] … [--quiet] [--level LEVEL]
            [--surprise YES_OR_NO]

        A sale is final: the goods cannot be brought back, and they cannot be exchanged
        for others.

        There is no discount.

        Operand:
          WHO                 The buyer.

        Options:
          --into DIR          The folder of the story.
          --item SKU          The product.
          --quiet             Print nothing.
          --level LEVEL       The volume. One of low, high. Default: low.
          --surprise YES_OR_NO
                              Whether the buyer should be surprised.
          --help, -h          Show this help.
          --version           Show the version.

        """)
  }

  @Test func `help headings are bold only if colored output is enabled`() {
    let colored = Help(program: .example, style: Style(isColored: true))
    for command in [nil, Program.example.command(named: ["sell"])] {
      #expect(colored.text(for: command).contains("\u{1B}[1mUsage:\u{1B}[0m shop"))
      #expect(!help.text(for: command).contains("\u{1B}"))
    }
  }

  @Test(arguments: [nil] + AmbientDemo.program.commands.map(\.name))
  func `the demo's help fits the output width, and at 80 columns also one screen`(name: String?) {
    let command = AmbientDemo.program.commands.first { $0.name == name }
    for width in [60, 80] {
      let help = Help(program: AmbientDemo.program, style: Style(isColored: false, width: width))
      if width == 80 {
        #expect(help.text(for: command).count { $0 == "\n" } <= Help.screen)
      }
      for isWhole in [false, true] {
        let lines = help.text(for: command, isWhole: isWhole).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
      }
    }
  }

  @Test func `a command's help is shown in full if it leaves one line of the screen free`() {
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
  func `a usage line wraps only if it exceeds the output width`(letters: Int, lines: Int) {
    let option = Option("--" + String(repeating: "a", count: letters), help: "It is there.")
    let command = Command(
      name: "x", summary: "Do it.", details: "", options: [option], prepare: { _ in .idle })
    let help = Help(program: .example, style: Style(isColored: false, width: 60))
    let usage = help.text(for: command).split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("Usage:") }.prefix { !$0.isEmpty }
    #expect(usage.count == lines && usage.allSatisfy { $0.count <= 60 })
  }

  @Test func `brief help leaves out the details and mentions --all`() throws {
    let help = Help(program: AmbientDemo.program, style: .plain)
    let checkout = try #require(AmbientDemo.program.command(named: ["checkout"]))
    #expect(!help.text(for: checkout).contains("--log-rotate"))
    #expect(help.text(for: checkout).contains("--help --all"))
    #expect(help.text(for: checkout, isWhole: true).contains("--log-rotate"))
  }

  @Test(arguments: AmbientDemo.program.commands.map(\.name))
  func `each example in a command's help parses as that command`(name: String) throws {
    let command = try #require(AmbientDemo.program.commands.first { $0.name == name })
    for example in command.examples {
      // The words after `|` are for the shell; a text between quotation marks is one word.
      let line = example.split(separator: " |")[0].replacing("\"4.50 USD\"", with: "4.50")
      let request = try AmbientDemo.program.parse(line.split(separator: " ").map(String.init))
      guard case .run(let parsed, _) = request else {
        Issue.record("\(example) runs nothing")
        continue
      }
      #expect(parsed.name == name)
    }
  }

  @Test(arguments: ["help", "help checkout", "checkout -h", "log recover --help", "queue --help"])
  func `help is printed to standard output with exit status 0`(line: String) async throws {
    let outcome = try await Demo()(line: line)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("\n\nUsage: ambient-demo "))
  }
}
