import Testing

@testable import ambient_demo

@Suite struct `The completions of a small program` {
  /// A program with options, operands and commands of each kind that is completed.
  private static let program = Program(
    name: "corner-shop", version: "1.2.3", summary: "A shop on the command line.",
    commands: [
      Command(
        name: "tell", summary: "Tell what's new.", details: "",
        operand: Option("STYLE", .wordNamed("STYLE", ["short", "long"]), help: "How: as it was."),
        options: [.into, .log], prepare: { _ in .idle }),
      Command(
        name: "log keep", summary: "Keep a log.", details: "",
        operand: Option("PATH", help: "The log; it need not be there."),
        options: [
          Option("--from", .text("FILE"), help: #"What is kept, as \n. All if not said."#), .quiet,
        ], prepare: { _ in .idle }),
      Command(
        name: "log drop", summary: "Drop a log.", details: "",
        operand: Option("DIR", help: "Where it is."), options: [], prepare: { _ in .idle }),
      Command(
        name: "give", summary: "Give something.", details: "",
        operand: Option("ORDER", help: "What was bought."), options: [.item, .level],
        prepare: { _ in .idle }),
      Command(name: "stop", summary: "Stop.", details: "", options: [], prepare: { _ in .idle }),
    ])

  // After an intended change, put what the failure shows into the golden file.
  @Test(arguments: Completions.Shell.allCases)
  func `equal their golden file`(shell: Completions.Shell) throws {
    let script = Completions(program: Self.program).script(for: shell)
    #expect(script == (try fixture("completions-\(shell.rawValue)")))
  }
}
