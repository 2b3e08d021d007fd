// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ambient_demo

@Suite struct `Usage errors` {
  private static let commands = ["tell", "sell"]
  private static let words = commands + ["help", "--help", "--version"]
  private static let ofTell = ["--into", "--log", "--help", "--version"]
  private static let ofSell =
    ["--into", "--item", "--quiet", "--level", "--surprise", "--help", "--version"]

  @Test(
    arguments: [
      (["sel"], .unknownCommand("sel", valid: words), "sell"),
      (["help", "sel"], .unknownCommand("sel", valid: commands), "sell"),
      (["help", "--version"], .unknownCommand("--version", valid: commands), nil),
      (["help", "sell", "mug"], .unexpectedWord("mug", command: "help"), nil),
      (["refrigerate"], .unknownCommand("refrigerate", valid: words), nil),
      ([""], .unknownCommand("", valid: words), nil),
      (["--item", "mug", "sell"], .commandNotFirst("sell"), nil),
      (["—into", "a"], .unknownOption("—into", command: "tell", valid: ofTell), "--into"),
      (["tell", "–-into"], .unknownOption("–-into", command: "tell", valid: ofTell), "--into"),
      (["sell", "−log"], .unknownOption("−log", command: "sell", valid: ofSell), nil),
      (["--itno", "a"], .unknownOption("--itno", command: "tell", valid: ofTell), "--into"),
      (["--INTO=a"], .unknownOption("--INTO", command: "tell", valid: ofTell), "--into"),
      (["--quiet"], .optionOfOthers("--quiet", command: "tell", others: ["sell"]), nil),
      (["sell", "ada", "mug"], .unexpectedWord("mug", command: "sell"), nil),
      (["tell", "mug"], .unexpectedWord("mug", command: "tell"), nil),
      (["--into"], .missingValue("--into", placeholder: "DIR"), nil),
      (["--into="], .missingValue("--into", placeholder: "DIR"), nil),
      (["--into=", "a"], .missingValue("--into", placeholder: "DIR"), nil),
      (["--into", ""], .missingValue("--into", placeholder: "DIR"), nil),
      (["--into", "--log", "none"], .missingValue("--into", placeholder: "DIR"), nil),
      (
        ["--log", "nome"],
        .unknownWord("nome", option: "--log", valid: ["none", "file:PATH"]), "none"
      ),
      (
        ["--log", "file:"],
        .unknownWord("file:", option: "--log", valid: ["none", "file:PATH"]), "file:PATH"
      ),
      (
        ["--log", "xyzzy"],
        .unknownWord("xyzzy", option: "--log", valid: ["none", "file:PATH"]), nil
      ),
      (["--into", "a", "--into=b"], .repeated("--into"), nil),
      (["sell", "--quiet", "--quiet"], .repeated("--quiet"), nil),
      (["sell", "--quiet=yes"], .superfluousValue("--quiet", "yes"), nil),
      (["--version=2"], .superfluousValue("--version", "2"), nil),
    ] as [([String], UsageError, String?)])
  func `a usage error names the wrong argument and suggests the nearest valid one`(
    words: [String], expected: UsageError, nearest: String?
  ) {
    let error = #expect(throws: UsageError.self) { try Program.example.parse(words) }
    #expect(error == expected)
    #expect(error?.nearest == nearest)
    #expect("\(expected)".contains(nearest ?? ""))
  }

  @Test(
    arguments: [
      ("log", "log recover"), ("recover", "log recover"), ("queue", nil), ("", nil), ("rec", nil),
    ] as [(String, String?)])
  func `for a word of a single command with several words, the suggestion is that command`(
    word: String, nearest: String?
  ) {
    let valid = ["story", "log recover", "queue show", "queue retry"]
    #expect(UsageError.unknownCommand(word, valid: valid).nearest == nearest)
  }

  @Test(arguments: [
    ("https://joe:hunter22@a.example/?k=hidden", "https…"),
    ("https:/joe:hidden@a.example", "https…"),
    ("joe:hidden@a.example", "joe…"), ("a.example/?key=hidden", "a.example…"), ("stdot", "stdot"),
  ])
  func `a usage error shows only the start of a URL and hides passwords and keys`(
    word: String, shown: String
  ) {
    for error in [
      UsageError.unknownWord(word, option: "--log", valid: ["none"]),
      .unexpectedWord(word, command: "checkout"), .unknownCommand(word, valid: ["story"]),
      .superfluousValue("--help", word),
    ] {
      #expect("\(error)".contains("“\(shown)”"), "\(error)")
      #expect(!"\(error)".contains("hidden") && !"\(error)".contains("hunter22"))
    }
  }
}
