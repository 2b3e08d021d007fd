// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// A program whose other parts close descriptors of the log all the time, and open files of their
/// own.
@Suite(.withoutSanitizer, .serialized) struct `Descriptor reuse under load` {
  /// What the program prints.
  private struct Outcome {
    /// The last line of each thread in the storm, and after it.
    let before: [Int]
    let after: [Int]
    /// The lines that the log counts as lost in the storm, and after it.
    let lost: [Int]
    /// How often an own file of the program had other bytes than its own.
    let hits: Int
    let words: [String: [Int]]

    init(_ output: String) {
      var words: [String: [Int]] = [:]
      for line in output.split(separator: "\n") {
        let parts = line.split(separator: " ")
        words[String(parts[0])] = parts.dropFirst().compactMap { Int($0) }
      }
      (before, after) = (words["before"] ?? [], words["after"] ?? [])
      (lost, hits) = (words["lost"] ?? [], words["storm"]?.first ?? -1)
      self.words = words
    }
  }

  private let folder = TemporaryFolder()
  private let steps = TestRun.rounds(2_000, all: 10_000, full: 100_000)

  private func storm(_ kind: String, _ survival: String) async throws -> Outcome {
    let result = try await Command.run(
      Products.program("Survivor").path, "log", folder.path, kind, "\(steps)", survival)
    try #require(result.status == 0, "\(result.output)")
    let outcome = Outcome(result.output)
    try #require(outcome.after.count == 8 && outcome.lost.count == 2, "\(result.output)")
    return outcome
  }

  /// The numbers of each thread's lines in the log.
  private func logged() throws -> [[Int]] {
    try FileLog.recover(path: folder.path("shop.log"))
    var numbers = Array(repeating: [Int](), count: 8)
    for name in try folder.loggedNumbers().joined() {
      let parts = name.split(separator: ".")
      if parts.count == 3, let thread = Int(parts[1]), let number = Int(parts[2]) {
        numbers[thread].append(number)
      }
    }
    return numbers
  }

  @Test(arguments: ["process", "eachLine", "machine"])
  func `a busy log whose descriptors are closed counts lost lines and corrupts no file`(
    _ survival: String
  ) async throws {
    for _ in 0..<TestRun.rounds(2, all: 2, full: 20) {
      let outcome = try await storm("close", survival)
      #expect(outcome.hits == 0)
      var missing = [0, 0]
      for (thread, numbers) in try logged().enumerated() {
        let (before, after) = (outcome.before[thread], outcome.after[thread])
        let found = Set(numbers)
        #expect(found.count == numbers.count, "thread \(thread) has lines twice")
        missing[0] += (1...before).count { !found.contains($0) }
        missing[1] += (before + 1...after).count { !found.contains($0) }
      }
      #expect(missing == outcome.lost)
      show("close", survival, outcome, missing)
      try FileManager.default.removeItem(atPath: folder.path("shop.log"))
    }
  }

  /// A batch or, without a buffer, the lines of a second may go to a file that has just got the
  /// log's number.
  @Test func `after other code stops reusing a log's descriptors, the log counts each lost line`()
    async throws
  {
    for _ in 0..<TestRun.rounds(2, all: 2, full: 20) {
      let outcome = try await storm("replace", "process")
      var missing = 0
      for (thread, numbers) in try logged().enumerated() {
        let (before, after) = (outcome.before[thread], outcome.after[thread])
        let found = Set(numbers)
        #expect(found.count == numbers.count, "thread \(thread) has lines twice")
        missing += (before + 1...after).count { !found.contains($0) }
      }
      #expect(missing == outcome.lost[1])
      show("replace", "process", outcome, [-1, missing])
      try FileManager.default.removeItem(atPath: folder.path("shop.log"))
    }
  }

  private func show(_ kind: String, _ survival: String, _ outcome: Outcome, _ missing: [Int]) {
    guard TestRun.asked == .full else { return }
    let storm = outcome.words["storm"] ?? []
    print(
      "\(kind) \(survival): hits, closed, victims \(storm), missing \(missing) of \(outcome.lost)")
  }
}
