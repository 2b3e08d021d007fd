import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Programs that asked for their buffers to be drained on signals.
@Suite(.writers, .serialized) struct `A log of a program that gets a signal` {
  // A terminal's signal is from the kernel, with a code of its own.
  @Test(arguments: [("terminate", SIGTERM), ("abort", SIGABRT), ("interrupt", SIGINT)])
  func `has all lines when the program has ended, without an opening`(
    _ end: String, _ signal: Int32
  ) async throws {
    let folder = TemporaryFolder()
    // The last ten wait in the buffer when the signal comes.
    let writer = try Writer("a", threads: 2, lines: 2_010, end: end, "signals", in: folder)
    #expect(await writer.wait() == signal)
    #expect(try folder.loggedNumbers().joined().count == 4_020)
    try folder.expectEachOnce(of: [writer])
  }

  @Test func `has them when a handler is called that the program had set before`() async throws {
    let folder = TemporaryFolder()
    let writer = try Writer("a", threads: 1, lines: 2_010, end: "raise", "handler", in: folder)
    // 7 says that the handler was called.
    #expect(await writer.wait() == 7)
    #expect(try folder.loggedNumbers().joined().count == 2_010)
  }

  @Test func `has each line exactly once after a signal in a storm`() async throws {
    for round in 0..<Thorough.signals {
      let folder = TemporaryFolder()
      let words = round % 2 == 0 ? "process" : "rotate:20000"
      let writer = try Writer(
        "w", threads: 2, lines: 1_000_000, end: "wait", "signals", words, in: folder)
      #expect(await Patience.waitIdly { writer.progress.count[0] > 0 })
      try await Task.sleep(for: .microseconds(.random(in: 0..<10_000)))
      writer.kill(SIGTERM)
      #expect(await writer.wait() == SIGTERM)
      try FileLog.recover(path: folder.path("shop.log"))
      try folder.expectEachOnce(of: [writer])
    }
  }
}

/// More logs than any table of a fixed size would hold.
@Suite struct `Two hundred logs of one program` {
  private let folder = TemporaryFolder()

  private func expectAll() throws {
    let found = Set(try folder.loggedNumbers().joined())
    for log in 0..<200 {
      let missing = (1...40).filter { !found.contains("w.\(log).\($0)") }
      #expect(missing.isEmpty, "log \(log): \(missing)")
    }
  }

  @Test func `have all lines when it has ended by a signal, without an opening`() async throws {
    let writer = try Writer(
      "w", threads: 1, lines: 0, end: "terminate", "signals", "logs:200", in: folder)
    #expect(await writer.wait() == SIGTERM)
    try expectAll()
  }

  @Test func `have them after a recovery, though a fork of the program lives on`() async throws {
    let writer = try Writer(
      "w", threads: 1, lines: 0, end: "orphan:\(folder.path("stop"))", "logs:200", in: folder)
    defer { try? folder.write("", to: "stop") }
    #expect(await writer.wait() == SIGKILL)
    for log in 1...200 { try FileLog.recover(path: folder.path("shop.log.\(log)")) }
    try expectAll()
  }
}
