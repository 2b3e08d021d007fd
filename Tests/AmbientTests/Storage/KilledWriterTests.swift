// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Writers that end as programs do: by the system, by themselves, and in the middle of things.
@Suite(.long, .withoutSanitizer, .serialized) struct `Logs of terminated programs` {
  @Test(arguments: ["exit", "_exit", "abort", "terminate", "fatalError"])
  func `after recovery, a log contains each line exactly once, however its program ended`(
    _ end: String
  ) async throws {
    let folder = TemporaryFolder()
    // The last ten wait in the buffer when it ends.
    let writer = try Writer("a", threads: 2, lines: 2_010, end: end, in: folder)
    await writer.wait()
    // What the program wrote itself, if it could.
    if end == "exit" { #expect(try folder.text("shop.log").count(of: "\n") == 4_020) }
    try FileLog.recover(path: folder.path("shop.log"))
    try folder.expectEachOnce(of: [writer])
    #expect(try folder.names(with: ".buffer").isEmpty)
  }

  @Test(arguments: [FileOptions.Survival.process, .eachLine, .machine])
  func `two programs write one log without losing or repeating lines`(
    _ survival: FileOptions.Survival
  ) async throws {
    let folder = TemporaryFolder()
    let lines = survival == .machine ? 2_000 : TestRun.rounds(2_000, all: 20_000, full: 50_000)
    let writers = try ["a", "b"].map {
      try Writer(
        $0, threads: 2, lines: lines, end: "exit", "\(survival)", in: folder)
    }
    for writer in writers { await writer.wait() }
    // At its end, a program waits for a slow disk only a second.
    try FileLog.recover(path: folder.path("shop.log"))
    try folder.expectEachOnce(of: writers)
    #expect(try folder.text("shop.log").count(of: "\n") == 4 * lines)
  }

  @Test(arguments: [1, 2])
  func `after a program was killed, recovery writes each logged line exactly once`(
    _ writers: Int
  ) async throws {
    var hits = Hits()
    let rounds = TestRun.rounds(8, all: 60, full: 200)
    // Where many are killed, more than that until each kind was hit.
    for round in 0..<4 * rounds where round < rounds || (rounds >= 40 && !hits.isComplete) {
      try await kill(round, writers, &hits)
    }
    guard rounds >= 40 else { return }
    print(hits)
    #expect(hits.isComplete, "\(hits)")
  }

  @Test(arguments: [1, 2])
  func `if a program is killed during a rotation, its log loses and repeats no line`(
    _ writers: Int
  ) async throws {
    var hits = 0
    let rounds = TestRun.rounds(8, all: 60, full: 200)
    for _ in 0..<rounds {
      if try await killRotating(writers) { hits += 1 }
    }
    if rounds >= 40 { print("of the \(rounds) kills, \(hits) were within a rotation") }
    guard rounds >= 40 else { return }
    #expect(hits > 0)
  }

  /// Whether a rotation was under way: the files in the folder tell.
  private func killRotating(_ count: Int) async throws -> Bool {
    let folder = TemporaryFolder()
    let writers = try (0..<count).map {
      try Writer("w\($0)", threads: 2, lines: 1_000_000, end: "wait", "rotate:4000", in: folder)
    }
    #expect(
      await Patience.waitIdly { FileManager.default.fileExists(atPath: folder.path("shop.log.1")) })
    try await Task.sleep(for: .microseconds(.random(in: 0..<30_000)))
    for writer in writers { writer.kill() }
    for writer in writers { await writer.wait() }
    let isWithinRotation = try folder.isRotating
    try FileLog.recover(path: folder.path("shop.log"))
    try folder.expectEachOnce(of: writers)
    return isWithinRotation
  }

  private struct Hits: CustomStringConvertible {
    var calls = 0
    var drains = 0
    var recoveries = 0

    var isComplete: Bool { calls > 0 && drains > 0 && recoveries > 0 }

    var description: String {
      "of the kills, \(calls) were within a call, \(drains) within a drain, \(recoveries) at the opening"
    }
  }

  private func kill(_ round: Int, _ count: Int, _ hits: inout Hits) async throws {
    let folder = TemporaryFolder()
    // A dead one's buffer to be recovered while the next is killed.
    let first = try Writer("dead", threads: 1, lines: 1_500, end: "_exit", in: folder)
    await first.wait()
    let writers = try (0..<count).map {
      try Writer("w\($0)", threads: 2, lines: 1_000_000, end: "wait", in: folder)
    }
    let writing = SharedProgress.Phase.writing.rawValue
    // Some at the opening, some as soon as they write, some later.
    for writer in writers {
      // An opening takes less than a pause of the one that waits.
      if round % 4 == 0 {
        #expect(Patience.wait { writer.progress.phase != .starting })
      } else {
        #expect(await Patience.waitIdly { writer.progress.phase.rawValue >= writing })
      }
    }
    switch round % 4 {
    case 0: usleep(.random(in: 0..<200))
    case 1: usleep(.random(in: 0..<30_000))
    default:
      usleep(.random(in: 0..<10_000))
      _ = Patience.wait(.seconds(1)) { writers[0].progress.isFlushing }
    }
    for writer in writers { writer.kill() }
    for writer in writers { await writer.wait() }
    for writer in writers {
      if writer.progress.phase == .opening { hits.recoveries += 1 }
      if (0..<2).contains(where: { writer.progress.isCalling[$0] }) { hits.calls += 1 }
    }
    hits.drains += try folder.buffersInUse()
    try FileLog.recover(path: folder.path("shop.log"))
    try folder.expectEachOnce(of: [first] + writers)
  }
}

extension TemporaryFolder {
  fileprivate func names(with end: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(end) }
  }

  /// How many buffers were being drained when their owners died.
  fileprivate func buffersInUse() throws -> Int {
    let buffers = BufferFile(target: path("shop.log"), folder: nil)
    return try buffers.paths().count { try buffers.orphan(at: $0)?.lines.intent != nil }
  }

  /// Whether files are on their way to other names: the log has none now, or a number is missing.
  fileprivate var isRotating: Bool {
    get throws {
      let names = try logNames
      let numbers = names.compactMap { Int($0.dropFirst("shop.log.".count)) }
      return !names.contains("shop.log") || numbers.max() != numbers.count
    }
  }
}

extension String {
  fileprivate func count(of character: Character) -> Int { count { $0 == character } }
}
