// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation

/// A program in which a scheduler that guesses goes wrong: looping sleepers whose deadlines
/// coincide, races against timeouts in task groups, and many hops between actors at each wake.
///
/// The benchmarks run the same file.
enum DeterminismScenario {
  actor Counter {
    private var value = 0

    func next() -> Int {
      value += 1
      return value
    }
  }

  actor Log {
    private var lines: [String] = []

    func add(_ line: String) { lines.append("\(Time.uptime / .seconds(1)) \(line)") }

    var text: String { lines.joined(separator: "\n") }
  }

  /// What happened in one run: the same text each time.
  static func run() async throws -> String {
    try await Time.virtual(from: Date(timeIntervalSinceReferenceDate: 817_000_000)) { time in
      let log = Log()
      let counters = (0..<5).map { _ in Counter() }
      let loops = [("a", 2), ("b", 3), ("c", 5)].map { name, period in
        Time.task {
          for round in 1... {
            try await Time.sleep(for: .seconds(period))
            var sum = 0
            for hop in 0..<25 { sum += await counters[hop % 5].next() }
            await log.add("\(name) \(round) \(sum)")
          }
        }
      }
      let races = Time.task {
        for round in 1...6 { await race(round, log, counters) }
      }
      try await time.advance(by: .seconds(31))
      await races.value
      for loop in loops { loop.cancel() }
      for loop in loops { _ = await loop.result }
      await log.add("end")
      return await log.text
    }
  }

  /// Some of the work of a round is done in time, and some is not.
  private static func race(_ round: Int, _ log: Log, _ counters: [Counter]) async {
    await withTaskGroup { group in
      for worker in 1...3 {
        group.addTask {
          do {
            try await Time.timeout(after: .seconds(round)) {
              for _ in 0..<25 { _ = await counters[worker].next() }
              try await Time.sleep(for: .seconds(worker + 1))
              for _ in 0..<25 { _ = await counters[worker].next() }
            }
            await log.add("race \(round) worker \(worker) done \(await counters[worker].next())")
          } catch {
            await log.add("race \(round) worker \(worker) \(type(of: error))")
          }
        }
      }
    }
  }
}
