import Testing

@testable import ambient_demo

@Suite struct `The words on the command line` {
  @Test func `none mean the first command`() throws {
    let (command, arguments) = try run([])
    #expect(command.name == "tell")
    #expect(arguments == Arguments())
  }

  @Test func `options without a command are those of the first`() throws {
    let (command, arguments) = try run(["--into", "folder"])
    #expect(command.name == "tell")
    #expect(arguments[.into] == "folder")
  }

  @Test func `a command after options is told to come first`() {
    #expect(throws: UsageError.commandNotFirst("sell")) { try run(["--item", "mug", "sell"]) }
  }

  @Test(arguments: [["sell", "--item", "mug", "--into", "a"], ["sell", "--item=mug", "--into=a"]])
  func `a value stands after a space or an equals sign`(words: [String]) throws {
    let (command, arguments) = try run(words)
    #expect(command.name == "sell")
    #expect(arguments.all(.item) == ["mug"])
    #expect(arguments[.into] == "a")
    #expect(!arguments.has(.quiet))
  }

  @Test func `only the first equals sign separates`() throws {
    #expect(try run(["--into=a=b"]).1[.into] == "a=b")
  }

  @Test func `a repeatable option keeps its values in order`() throws {
    let (_, arguments) = try run(["sell", "--item", "b", "--quiet", "--item=a", "--item", "b"])
    #expect(arguments.all(.item) == ["b", "a", "b"])
    #expect(arguments.has(.quiet))
  }

  @Test func `a value may start with a dash, and with two after an equals sign`() throws {
    #expect(try run(["--into", "-x"]).1[.into] == "-x")
    #expect(try run(["--into=--x"]).1[.into] == "--x")
  }

  @Test(arguments: ["none", "file:a", "file:a:b"])
  func `a word of the list is accepted, and any text after its colon`(word: String) throws {
    #expect(try run(["--log", word]).1[.log] == word)
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "--help"], ["help", "help"],
    ["--into", "a", "--help", "--nonsense"],
  ])
  func `help without a command is of the program`(words: [String]) throws {
    guard case .help(nil, _) = try Program.example.parse(words) else {
      Issue.record("\(words) did not ask for help")
      return
    }
  }

  @Test func `help after a command is of the command, whatever it needs`() throws {
    for words in [
      ["sell", "-h"], ["help", "sell"], ["help", "sell", "--help"], ["sell", "--help", "mug"],
      ["sell", "-h", "--nonsense"],
    ] {
      guard case .help(let command?, _) = try Program.example.parse(words) else {
        Issue.record("no help of a command: \(words)")
        return
      }
      #expect(command.name == "sell")
    }
  }

  @Test func `the version may be asked for`() throws {
    guard case .version = try Program.example.parse(["--version"]) else {
      Issue.record("no version")
      return
    }
  }

  private func run(_ words: [String]) throws -> (Command, Arguments) {
    guard case .run(let command, let arguments) = try Program.example.parse(words) else {
      throw UsageError.unexpectedWord("a request to run", command: "test")
    }
    return (command, arguments)
  }
}
