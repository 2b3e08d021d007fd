// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.long, .withoutSanitizer, .serialized) struct `Journals of killed programs` {
  private struct Hits: CustomStringConvertible {
    var appends = 0
    var deliveries = 0
    var recoveries = 0

    var isComplete: Bool { appends > 0 && deliveries > 0 && recoveries > 0 }

    var description: String {
      """
      of the kills, \(appends) were within append, \(deliveries) within batch and acknowledge, \
      \(recoveries) within a recovery
      """
    }
  }

  @Test func `a killed program's journal contains each record whose append call had returned`()
    async throws
  {
    var hits = Hits()
    let rounds = TestRun.rounds(8, all: 60, full: 200)
    for round in 0..<4 * rounds where round < rounds || (rounds >= 40 && !hits.isComplete) {
      try await kill(round, &hits)
    }
    guard rounds >= 40 else { return }
    print(hits)
    #expect(hits.isComplete, "\(hits)")
  }

  /// Kills one program, and the next, which recovers what that left.
  private func kill(_ round: Int, _ hits: inout Hits) async throws {
    let folder = TemporaryFolder()
    var progress: [SharedProgress] = []
    for id in ["a", "b"] {
      let place = folder.path("progress-\(id)")
      progress.append(try SharedProgress(path: place, threads: 2))
      let process = try ChildProgram(
        Products.program("JournalWriter").path,
        ["run", folder.path("queue"), place, id, folder.path("delivered")],
        environment: ["SWIFT_BACKTRACE": "enable=no"])
      let isOpening = id == "b" && round % 3 == 0
      if isOpening {
        #expect(Patience.wait { progress[1].phase != .starting })
        usleep(.random(in: 0..<3_000))
      } else {
        #expect(await Patience.waitIdly { progress.last?.phase == .writing })
        usleep(.random(in: 0..<60_000))
        // Often within a batch, which takes less time than the pause behind it.
        if round % 3 == 1 { _ = Patience.wait(.seconds(1)) { progress.last?.isFlushing == true } }
      }
      process.send(SIGKILL)
      #expect(process.waited() == -SIGKILL, "\(id) ended by itself")
    }
    for progress in progress {
      if progress.phase == .opening { hits.recoveries += 1 }
      if progress.isCalling[0] || progress.isCalling[1] { hits.appends += 1 }
      if progress.isFlushing { hits.deliveries += 1 }
    }
    try check(folder, progress)
  }

  private func check(_ folder: TemporaryFolder, _ progress: [SharedProgress]) throws {
    let reports = Reports()
    let journal = try Diagnostics.withInstance(reports) {
      try Journal(folder: folder.path("queue"))
    }
    // A kill is no damage.
    #expect(reports.messages == [] && journal.dropped == Journal.Dropped())
    let records = journal.batch(maximumCount: .max, maximumBytes: .max, now: Date())
    let waiting = records.compactMap { KilledRecord.name(in: $0.text) }
    #expect(waiting.count == records.count && records.count == journal.count)
    let text = (try? folder.text("delivered")) ?? ""
    let delivered = text.split(separator: "\n").map(String.init)
    // What was delivered and not acknowledged: a batch of each program's at most.
    #expect(delivered.count + waiting.count - Set(delivered + waiting).count <= 100)
    for (id, progress) in zip(["a", "b"], progress) {
      for thread in 0..<2 {
        let start = "\(id).\(thread)."
        let numbers = (delivered + waiting).compactMap {
          $0.hasPrefix(start) ? Int($0.dropFirst(start.count)) : nil
        }
        let returned = progress.count[thread]
        // The one whose call had not returned may be there, too.
        let all = Set(numbers).sorted()
        #expect(all == Array(1..<all.count + 1) && (returned...returned + 1).contains(all.count))
        // In order, but for what came twice.
        let falls = zip(numbers, numbers.dropFirst()).count { $0 >= $1 }
        #expect(falls <= 2, "\(start)")
      }
    }
  }

  @Test func `a journal does nothing in a forked process, and the fork doesn't block reopening`()
    async throws
  {
    let folder = TemporaryFolder()
    let process = try ChildProgram(
      Products.program("JournalWriter").path,
      ["fork", folder.path("queue"), folder.path("answer")])
    #expect(
      await Patience.waitIdly { FileManager.default.fileExists(atPath: folder.path("answer.read")) }
    )
    #expect(try folder.text("answer") == "well")
    process.killed()
    // The fork lives still, until the answer is removed with the folder.
    var journal: Journal?
    #expect(
      await Patience.waitIdly {
        journal = try? Journal(folder: folder.path("queue"))
        return journal != nil
      })
    #expect(journal?.texts() == ["parent", "parent again"])
  }
}
