// SPDX-License-Identifier: Apache-2.0

import Ambient

@testable import ambient_demo

extension Program {
  /// A program with one of everything that the table can say.
  static let example = Program(
    name: "shop", version: "1.2.3", summary: "A shop on the command line, made for tests.",
    commands: [
      Command(
        name: "tell", summary: "Tell a story.", details: "", options: [.into, .log],
        prepare: { _ in .idle }),
      Command(
        name: "sell", summary: "Sell something.",
        details: """
          A sale is final: the goods cannot be brought back, and they cannot be exchanged for others.

          There is no discount.
          """,
        operand: Option("WHO", help: "The buyer.").required,
        options: [.into.required, .item, .quiet, .level, .surprise],
        prepare: { _ in .idle }),
    ])

  /// Parses a command line of words that are separated by spaces, and prepares its run.
  func prepare(_ line: String) throws -> Command.Run {
    guard
      case .run(let command, let arguments) = try parse(line.split(separator: " ").map(String.init))
    else { throw UsageError.unexpectedWord(line, command: "a test that runs a command") }
    return try command.prepare(arguments)
  }
}

extension Option {
  static let into = Option("--into", .text("DIR"), help: "The folder of the story.")
  static let log = Option("--log", .word(["none", "file:PATH"]), help: "The log's destination.")
  static let item = Option("--item", .text("SKU"), repeatable: true, help: "The product.")
  static let quiet = Option("--quiet", help: "Print nothing.")
  static let level = Option(
    "--level", .word(["low", "high"], named: "LEVEL"), default: "low", help: "The volume.")
  static let surprise = Option(
    "--surprise", .text("YES_OR_NO"), help: "Whether the buyer should be surprised.")
}

extension Command.Run {
  static let idle = Command.Run(body: { _ in })
}

extension Style {
  static let plain = Style(isColored: false)
}

extension UsageError {
  /// The option whose value is invalid.
  var option: String? {
    switch self {
    case .invalidValue(let option, _), .unknownWord(_, let option, _): option
    default: nil
    }
  }
}
