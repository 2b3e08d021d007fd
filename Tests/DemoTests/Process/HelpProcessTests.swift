import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `The help as a process` {
  // After an intended change: swift run ambient-demo NAME --help > Tests/DemoTests/Fixtures/…
  @Test(arguments: [
    ("--help", "help"), ("-h", "help"), ("help", "help"), ("help checkout", "help-checkout"),
    ("story --help", "help-story"), ("time --help", "help-time"),
    ("checkout --help", "help-checkout"), ("basket --help", "help-basket"),
    ("orders --help", "help-orders"), ("refund --help", "help-refund"),
    ("products --help", "help-products"), ("wiring --help", "help-wiring"),
    ("checkout --item mug -h", "help-checkout"), ("help log recover", "help-log-recover"),
    ("log recover --help", "help-log-recover"), ("log --help", "help-log-recover"),
    ("help log", "help-log-recover"), ("log --help --all", "help-log-recover"),
    ("completions --help", "help-completions"),
    ("checkout --help --all", "help-checkout-all"), ("help checkout --all", "help-checkout-all"),
  ])
  func `is a result, and equals its golden file`(line: String, name: String) async throws {
    let outcome = try await Demo()(line: line)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output == (try fixture(name)))
  }

  @Test func `promises no more options than there are`() async throws {
    let outcome = try await Demo()(line: "queue --help")
    #expect(outcome.output.hasSuffix("Show all about these.\n"), "\(outcome.output)")
  }

  @Test func `has a golden file for each command`() throws {
    for command in AmbientDemo.program.commands {
      let name = command.words.joined(separator: "-")
      #expect(try fixture("help-\(name)").contains(command.summary))
    }
  }
}
