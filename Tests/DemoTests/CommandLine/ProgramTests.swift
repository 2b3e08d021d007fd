// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ambient_demo

@Suite struct `Command line parsing` {
  @Test func `an empty command line runs the first command`() throws {
    let (command, arguments) = try run([])
    #expect(command.name == "tell")
    #expect(arguments == Arguments())
  }

  @Test func `a command line with only options runs the first command`() throws {
    let (command, arguments) = try run(["--into", "folder"])
    #expect(command.name == "tell")
    #expect(arguments[.into] == "folder")
  }

  @Test(arguments: [
    ["sell", "ada", "--item", "mug", "--into", "a"], ["sell", "--item=mug", "--into=a", "ada"],
  ])
  func `an option's value follows a space or an equals sign`(words: [String]) throws {
    let (command, arguments) = try run(words)
    #expect(command.name == "sell")
    #expect(arguments.all(.item) == ["mug"])
    #expect(arguments[.into] == "a")
    #expect(!arguments.has(.quiet))
  }

  @Test(arguments: [
    ["sell"], ["sell", "ada"], ["sell", "--into", "a"], ["sell", "--quiet"],
    ["sell", "ada", "--item", "mug"],
  ])
  func `a missing required argument or option is reported with the usage`(
    words: [String]
  ) {
    let missing = words.contains("ada") ? "--into DIR" : "WHO"
    #expect(throws: UsageError.missing(missing, usage: "shop sell WHO --into DIR")) {
      try Program.example.parse(words)
    }
  }

  @Test func `an option's value starts after the first equals sign`() throws {
    #expect(try run(["--into=a=b"]).1[.into] == "a=b")
  }

  @Test func `a repeatable option keeps its values in order`() throws {
    let words = ["sell", "--item", "b", "--quiet", "--item=a", "ada", "--item", "b", "--into=c"]
    let (_, arguments) = try run(words)
    #expect(arguments.all(.item) == ["b", "a", "b"])
    #expect(arguments.has(.quiet))
  }

  @Test func `an option's value can begin with a dash`() throws {
    #expect(try run(["--into", "-x"]).1[.into] == "-x")
    #expect(try run(["--into=--x"]).1[.into] == "--x")
  }

  @Test(arguments: ["none", "file:a", "file:a:b"])
  func `an option's value can contain any text after a colon`(word: String) throws {
    #expect(try run(["--log", word]).1[.log] == word)
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["help", "--help"], ["help", "help"], ["help", "--all"],
    ["--into", "a", "--help", "--nonsense"],
  ])
  func `a help request without a command selects the program's help`(words: [String]) throws {
    guard case .help(nil, let isWhole) = try Program.example.parse(words) else {
      Issue.record("\(words) did not ask for help")
      return
    }
    #expect(isWhole == words.contains("--all"))
  }

  @Test(arguments: [
    ["sell", "-h"], ["help", "sell"], ["help", "sell", "--help"], ["sell", "--help", "mug"],
    ["sell", "-h", "--nonsense"],
  ])
  func `a help request for a command doesn't need the command's required options`(words: [String])
    throws
  {
    guard case .help(let command?, _) = try Program.example.parse(words) else {
      Issue.record("no help of a command: \(words)")
      return
    }
    #expect(command.name == "sell")
  }

  @Test func `the --version option selects the version output`() throws {
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
