// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ambient_demo

@Suite struct `Program behavior` {
  private let demo = Demo()

  @Test func `the demo program prints its version`() async throws {
    let outcome = try await demo(line: "--version")
    #expect(outcome.status == 0)
    #expect(outcome.output == "ambient-demo \(AmbientDemo.program.version)\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test(
    arguments: [
      ("chekout", nil, "“checkout”"), ("--versoin", nil, "“--version”"),
      ("checkout --itme mug", "checkout", "“--item”"),
      ("checkout --item mug --log sdterr", "checkout", "“stderr”"),
      ("story --born", "story", "checkout"), ("--born", "checkout", "checkout"),
      ("completions bash", nil, "“completions”"), ("log", nil, "log recover"),
      ("log recove a", nil, "log recover"), ("log recover a b", "log recover", "“b”"),
      ("--buffer-folder a log recover b", "log recover", "log recover"),
      ("checkout --shop", "checkout", "--shop FILE"),
      ("checkout --shop a.json", "checkout", "ambient-demo checkout --shop FILE --item"),
      ("basket", "basket", "ambient-demo basket --store DIR"),
      ("basket --item gold", "basket", "ambient-demo basket --store DIR"),
      ("basket --store", "basket", "--store DIR"),
      ("orders", "orders", "ambient-demo orders --store DIR"),
      ("orders --json", "orders", "ambient-demo orders --store DIR"),
      ("refund", "refund", "ambient-demo refund ORDER --store DIR"),
      ("refund a", "refund", "ambient-demo refund ORDER --store DIR"),
      ("refund --store a", "refund", "ambient-demo refund ORDER --store DIR"),
      ("queue", "queue", "ambient-demo queue DIR"),
      ("queue --retry-refused", "queue", "ambient-demo queue DIR"),
      ("create-table", "create-table", "ambient-demo create-table TABLE"),
      ("log recover", "log recover", "ambient-demo log recover PATH"),
      ("log recover --json", "log recover", "ambient-demo log recover PATH"),
    ] as [(String, String?, String)])
  func `a usage error of the demo is reported with advice and creates no file`(
    line: String, command: String?, advice: String
  ) async throws {
    let outcome = try await demo(line: line)
    #expect(outcome.isUsageError(of: command, about: advice), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: demo.folder.path).isEmpty)
  }

  @Test func `the demo's error message wraps between words at the output width`() async throws {
    let line = "checkout --item xyz --log none"
    let whole = try await demo(line: line).errors
    #expect(whole.count { $0 == "\n" } == 1 && whole.count > 80)
    let lines = try await demo(line: line, environment: ["COLUMNS": "60"]).errors
      .split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 60 }, "\(lines)")
    #expect(lines.joined(separator: " ") + "\n" == whole)
  }

  @Test func `help is colored on a terminal unless NO_COLOR is set and not empty`()
    async throws
  {
    for (noColor, isColored) in [(nil, true), ("", true), ("1", false)] {
      let terminal = try PseudoTerminal()
      let environment = noColor.map { ["TERM": "xterm", "NO_COLOR": $0] } ?? ["TERM": "xterm"]
      _ = try await demo(line: "--help", environment: environment, output: terminal.device)
      let text = terminal.text()
      #expect(text.contains("Usage:"))
      #expect(text.contains("\u{1B}[1mUsage:") == isColored)
    }
  }

  @Test(arguments: ["", "--help", "checkout --item mug --log stdout --analytics stdout"])
  func `the demo exits with status 0 if the reader of its output has closed the pipe`(line: String)
    async throws
  {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let outcome = try await demo(line: line, output: pipe.fileHandleForWriting)
    #expect(outcome.status == 0)
    #expect(!outcome.errors.contains("rror:"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `the demo exits with an error if its output can't be written`() async throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let outcome = try await demo(line: "--help", output: full)
    #expect(outcome.isFailure(about: "No space left on device"))
  }

  @Test(arguments: ["--help", "time", "checkout --item mug --log file:a.log"])
  func `the demo exits with an error if standard output is closed`(line: String) async throws {
    let outcome = try await demo(line: line, closing: [1])
    #expect(outcome.isFailure(about: "Bad file descriptor"))
    let log = (try? demo.folder.text("a.log")) ?? ""
    #expect(!log.contains("to pay"))
    #expect(log.contains("order placed") == line.contains("a.log"))
  }

  @Test(arguments: [[0], [2], [0, 2]])
  func `if standard input or standard error is closed, the demo still exits with status 0`(
    closed: [Int]
  ) async throws {
    let outcome = try await demo(
      line: "checkout --item mug --analytics file:events.jsonl", closing: closed)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("to pay"))
    let events = try demo.folder.text("events.jsonl").split(separator: "\n")
    #expect(events.count == 5)
    #expect(events.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
  }
}
