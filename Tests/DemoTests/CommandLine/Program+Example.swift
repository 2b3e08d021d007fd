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
          What is sold is gone: there is no way to bring it back, and nobody who would want to try.

          Nor is there a discount.
          """,
        options: [.item, .into, .quiet, .level, .surprise],
        prepare: { _ in .idle }),
    ])
}

extension Option {
  static let into = Option("--into", .text("DIR"), help: "Where it is written.")
  static let log = Option("--log", .word(["none", "file:PATH"]), help: "Where the log goes.")
  static let item = Option(
    "--item", .text("SKU"), repeatable: true, help: "What is sold.")
  static let quiet = Option("--quiet", help: "Say nothing.")
  static let level = Option(
    "--level", .wordNamed("LEVEL", ["low", "high"]), help: "How loud it is.")
  static let surprise = Option(
    "--surprise", .text("YES_OR_NO"), help: "Whether the buyer should be surprised.")
}

extension Command.Run {
  static let idle = Command.Run(
    services: Services(time: DefaultTime(), log: NoLog(), analytics: NoAnalytics()),
    body: { _ in })
}
