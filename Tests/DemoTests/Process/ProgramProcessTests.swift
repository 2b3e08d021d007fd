import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `The program as a process` {
  private let demo = Demo()

  @Test func `says its version`() async throws {
    let outcome = try await demo("--version")
    #expect(outcome.status == 0)
    #expect(outcome.output == "ambient-demo \(AmbientDemo.program.version)\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test(arguments: [
    ("chekout", "there is no command “chekout”; did you mean “checkout”?"),
    ("--versoin", "story has no option “--versoin”; did you mean “--version”?"),
    ("checkout --itme mug", "checkout has no option “--itme”; did you mean “--item”?"),
    ("checkout --item mug --log sdterr", "--log cannot be “sdterr”; did you mean “stderr”?"),
    (
      "story --born",
      "story has no option “--born”; it is one of checkout"
    ),
    (
      "--born",
      "story has no option “--born”; it is one of checkout"
    ),
    ("checkout", "--item SKU[:QUANTITY] or --store DIR is missing"),
  ])
  func `explains wrong words on standard error, status 64`(
    line: String, text: String
  ) async throws {
    let outcome = try await demo(line: line)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    let command =
      switch line.split(separator: " ")[0] {
      case "checkout", "--born": " checkout"
      case "story": " story"
      default: ""
      }
    #expect(outcome.errors == "ambient-demo: \(text)\nSee ambient-demo\(command) --help.\n")
  }

  @Test func `wraps an error between words where the width is known`() async throws {
    let words = ["checkout", "--item", "xyz", "--log", "none"]
    let whole = try await demo(words).errors
    #expect(whole.count { $0 == "\n" } == 1 && whole.count > 80)
    let lines = try await demo(words, environment: ["COLUMNS": "60"]).errors
      .split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
    #expect(lines.joined(separator: " ") + "\n" == whole)
  }

  @Test func `colours for a terminal, unless NO_COLOR is set and not empty`() async throws {
    for environment in [["TERM": "xterm"], ["TERM": "xterm", "NO_COLOR": ""]] {
      let terminal = try PseudoTerminal()
      _ = try await demo("--help", environment: environment, output: terminal.device)
      #expect(terminal.text().contains("\u{1B}[1mUsage:"))
    }
    let other = try PseudoTerminal()
    _ = try await demo(
      "--help", environment: ["TERM": "xterm", "NO_COLOR": "1"], output: other.device)
    let plain = other.text()
    #expect(plain.contains("Usage:"))
    #expect(!plain.contains("\u{1B}"))
  }

  @Test(arguments: ["", "--help", "checkout --item mug --log stdout --analytics stdout"])
  func `is content with a reader that went away`(line: String) async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let outcome = try await demo(line: line, output: pipe.fileHandleForWriting)
    #expect(outcome.status == 0)
    #expect(!outcome.errors.contains("rror:"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `says when its results cannot be written`() async throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try await demo("--help", output: full)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        ambient-demo: cannot write to standard output: No space left on device

        """)
  }

  @Test(arguments: ["--help", "time --output told", "checkout --item mug --log file:a.log"])
  func `says so if it has no standard output, and lets no file take its place`(
    line: String
  ) async throws {
    let outcome = try await demo(line: line, closing: [1])
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("ambient-demo: "))
    #expect(
      outcome.errors.hasSuffix("cannot write to standard output: Bad file descriptor\n"))
    let log = (try? demo.folder.text("a.log")) ?? ""
    #expect(!log.contains("to pay"))
    #expect(log.contains("order placed") == line.contains("a.log"))
  }

  @Test(arguments: [[0], [2], [0, 2]])
  func `does without standard input and standard error`(closed: [Int]) async throws {
    let outcome = try await demo(
      line: "checkout --item mug --analytics file:events.jsonl", closing: closed)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("to pay"))
    let events = try demo.folder.text("events.jsonl").split(separator: "\n")
    #expect(events.count == 5)
    #expect(events.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
  }
}
