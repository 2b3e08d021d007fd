// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

private let start = Date(timeIntervalSinceReferenceDate: 0)

/// A search whose runs do nothing but run a body.
enum BareSearch {
  /// Searches in the numbers, and returns what it finds.
  static func run(
    _ numbers: ClosedRange<Int>, patience: Duration = VirtualTime.usualPatience,
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws -> ScheduleFinding<String> {
    let range = "\(numbers.lowerBound)...\(numbers.upperBound)"
    let search = try ScheduleSearch(
      ScheduleNumbers(1, replaying: []) { $0 == "AMBIENT_SCHEDULES" ? range : nil },
      shrinkingLimit: Patience.short
    ) { run in
      let (error, trace) = await runOnce(run, patience: patience, body)
      return ScheduleAttempt(
        isFailure: error != nil && !trace.isCutOff, trace, error.map { "\($0)" } ?? "")
    }
    return await search.run()
  }

  /// Runs the body in a schedule.
  static func runOnce(
    _ run: ScheduleRun?, patience: Duration = VirtualTime.usualPatience,
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async -> ((any Error)?, ScheduleTrace) {
    let time = VirtualTime(from: start, seed: 0, patience: patience, run: run)
    let (result, _, _) = await time.run(
      at: SourcePlace(fileID: "Tests/Bare.swift", line: 1), mayLeave: true, body, tell: { _ in })
    if case .failure(let error) = result { return (error, time.trace) }
    return (nil, time.trace)
  }
}

extension ScheduleFinding {
  /// The report of the schedule that failed, and has been shrunk.
  var report: ScheduleReport? {
    if case .failed(_, _, let report) = self { report } else { nil }
  }

  var isNone: Bool { if case .none = self { true } else { false } }
}

@Suite struct `Schedule search` {
  /// The numbers of the ranges in which to search.
  private static func ranges(of size: Int, _ count: Int) -> [ClosedRange<Int>] {
    (0..<count).map { $0 * size + 1...($0 + 1) * size }
  }

  @Test(.quiet, arguments: RacyProgram.allCases)
  func `a schedule search finds each faulty program's bug, reduced to few task switches`(
    program: RacyProgram
  ) async throws {
    let size = program.isDeep ? 10_000 : 100
    let count = program.isDeep ? TestRun.rounds(1, full: 20) : TestRun.rounds(3, all: 6, full: 20)
    for idle in [0, 10] {
      var switches: [Int] = []
      for range in Self.ranges(of: size, count) {
        let found = try await BareSearch.run(range) { _ in
          try await program.run(isRight: false, idle: idle)
        }
        let report = try #require(found.report, "\(program), \(idle) idle, in \(range): \(found)")
        switches.append(report.switches)
      }
      let median = switches.sorted()[switches.count / 2]
      #expect(median <= (program == .fiveSwitches ? 10 : program.isDeep ? 4 : idle > 0 ? 6 : 2))
    }
  }

  @Test(.quiet, arguments: RacyProgram.allCases)
  func `a schedule search finds no failure in a correct program`(program: RacyProgram) async throws
  {
    for idle in [0, 10] {
      let found = try await BareSearch.run(1...TestRun.rounds(200, all: 1_000, full: 5_000)) { _ in
        try await program.run(isRight: true, idle: idle)
      }
      #expect(found.isNone, "\(program), \(idle) idle: \(found)")
    }
  }
}

@Suite struct `Runs of a schedule` {
  @Test(.quiet, arguments: TaskForm.allCases)
  func `a schedule run twice runs its tasks in the same order both times`(form: TaskForm)
    async throws
  {
    let (_, first) = await BareSearch.runOnce(nil) { _ in _ = await form.run() }
    var orders: Set<[Int]> = []
    for number in 1...TestRun.rounds(40, all: 80, full: 200) {
      let run = ScheduleRun(
        schedule: .numbered(number, length: Int(first.jobs)), believes: false, mostJobs: 100_000,
        isRecorded: number.isMultiple(of: 2))
      let notes = Guarded<[[Int]]>([])
      var traces: [ScheduleTrace] = []
      for _ in 0..<2 {
        let (error, trace) = await BareSearch.runOnce(run) { _ in
          let order = await form.run()
          notes.withLock { $0.append(order) }
        }
        #expect(error == nil)
        traces.append(trace)
      }
      #expect(traces[0].sequence == traces[1].sequence, "\(form), \(number)")
      let found = notes.withLock { $0 }
      #expect(found.count == 2 && found[0] == found[1], "\(form), \(number)")
      orders.insert(found[0])
    }
    #expect(orders.count > 1, "\(form) has one order")
  }

  @Test func `schedule exploration runs sleepers that are due together in every possible order`()
    async throws
  {
    var orders: Set<[String]> = []
    for number in 1...200 {
      let run = ScheduleRun(
        schedule: .numbered(number, length: 20), believes: true, mostJobs: 100_000,
        isRecorded: false)
      let notes = Timeline()
      _ = await BareSearch.runOnce(run) { _ in
        await withTaskGroup { group in
          for sleeper in 0..<2 {
            group.addTask {
              try? await Time.sleep(for: .seconds(1))
              notes.note("\(sleeper)")
              await pause(1)
              notes.note("\(sleeper)")
            }
          }
        }
      }
      orders.insert(notes.lines)
    }
    #expect(orders.count == 6)
  }

  @Test(.quiet)
  func `in every schedule, a sleep as long as the timeout around it ends before the timeout`()
    async throws
  {
    let found = try await BareSearch.run(1...TestRun.rounds(100, all: 200, full: 1_000)) { _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            try await Time.timeout(after: .seconds(5)) { try await Time.sleep(for: .seconds(5)) }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(found.isNone, "\(found)")
  }

  @Test(.quiet)
  func `in every schedule, VirtualTime.run(until) checks its condition after each sleeper`()
    async throws
  {
    let found = try await BareSearch.run(1...100) { time in
      let woken = Timeline()
      for _ in 0..<3 {
        Time.task {
          try await Time.sleep(for: .seconds(1))
          woken.note("woke")
        }
      }
      try await time.run { woken.lines.count == 1 }
      guard woken.lines.count == 1 else { throw RacyProgram.Failure() }
      try await time.run()
    }
    #expect(found.isNone, "\(found)")
  }
}
