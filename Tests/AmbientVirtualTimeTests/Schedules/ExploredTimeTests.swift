// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

private let start = Date(timeIntervalSinceReferenceDate: 0)

/// Runs `body` if the caller overtakes a child that it has started, as only some schedules let it.
private func ifOvertaken(_ body: () async throws -> Void) async rethrows {
  let first = Timeline()
  async let noting: Void = first.note("first")
  await pause(4)
  if first.lines.isEmpty { try await body() }
  await noting
}

@Suite(.quiet) struct `Exploring schedules` {
  let journal = Timeline()

  @Test func `a schedule search returns the first run's value and runs each schedule once`()
    async throws
  {
    let result = try await Time.virtual(from: start, schedules: 5, replaying: [7]) { _ in
      journal.note("run")
      return journal.lines.count
    }
    #expect(result == 1)
    #expect(journal.lines.count == 7)
  }

  @Test func `a schedule search throws the failing schedule's error and reports its number`()
    async throws
  {
    await #expect(throws: RacyProgram.Failure.self) {
      try await Time.virtual(from: start, schedules: 1_000) { _ in
        try await RacyProgram.lastItem.run(isRight: false)
      }
    }
    #expect(Test.reports.map(\.kind) == [.failedSchedule])
    #expect(Test.reports.first?.message.contains("AMBIENT_SCHEDULE=") == true)
  }

  @Test func `if the first run of a schedule search fails, no other schedules are run`()
    async throws
  {
    await #expect(throws: RacyProgram.Failure.self) {
      try await Time.virtual(from: start, schedules: 1_000) { _ in
        journal.note("run")
        throw RacyProgram.Failure()
      }
    }
    #expect(journal.lines.count == 1)
    #expect(Test.reports.isEmpty)
  }

  @Test func `a task that still sleeps at the end of one explored schedule is reported`()
    async throws
  {
    try await Time.virtual(from: start, schedules: 1_000) { _ in
      await ifOvertaken { Time.task { try await Time.sleep(for: .seconds(1)) } }
    }
    #expect(Set(Test.reports.map(\.kind)) == [.failedSchedule, .leftover])
  }

  @Test func `every explored schedule gets the same AmbientIdentifier values and clock readings`()
    async throws
  {
    try await Time.virtual(
      from: start, schedules: 50, seed: 5, systemClocks: VirtualTime.hasSystemClocks
    ) { _ in
      journal.note("\(AmbientIdentifier.next()) \(Date()) \(ContinuousClock.now)")
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(journal.lines.count == 51)
    #expect(Set(journal.lines).count == 1)
  }

  @Test func `in an explored schedule, VirtualTime.run(limit) wakes at most that many sleepers`()
    async throws
  {
    try await Time.virtual(from: start, schedules: 5) { time in
      let woken = Timeline()
      for _ in 0..<3 {
        Time.task {
          try await Time.sleep(for: .seconds(1))
          woken.note("woken")
        }
      }
      let error = await #expect(throws: VirtualTimeError.self) { try await time.run(limit: 2) }
      #expect(error?.code == .endless && woken.lines.count == 2)
      try await time.run()
      #expect(woken.lines.count == 3)
    }
  }

  @Test func `a schedule search ends even if its body ignores cancellation`() async throws {
    await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: start, schedules: 1_000, patience: .milliseconds(100)) { _ in
        await ifOvertaken {
          // Never resumed.
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
    }
    #expect(Test.reports.map(\.kind) == [.failedSchedule])
  }

  @Test func `if a deadlocked body throws another error, a schedule search reports one deadlock`()
    async throws
  {
    await #expect(throws: RacyProgram.Failure.self) {
      try await Time.virtual(from: start, schedules: 1_000, patience: .milliseconds(100)) { _ in
        let (stream, feed) = AsyncStream<Int>.makeStream()
        try await ifOvertaken {
          for await _ in stream {}
          throw RacyProgram.Failure()
        }
        feed.finish()
      }
    }
    #expect(Test.reports.map(\.kind) == [.failedSchedule, .stalled])
  }

  @Test func `a schedule search throws CancellationError when its task is cancelled`() async {
    let task = Time.task { [journal] in
      try await Time.virtual(from: start, schedules: .max) { _ in
        journal.note("run")
        await Task.yield()
      }
    }
    while journal.lines.count < 5 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(Test.reports.isEmpty)
  }

  @Test func `a schedule search throws the failure it found even if shrinking the schedule stalls`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let gate = DispatchSemaphore(value: 0)
      let stalls = Timeline()
      @Sendable func block() {
        stalls.note("stall")
        gate.wait()
      }
      var failure: (any Error)?
      do {
        try await Time.virtual(from: start, schedules: 3, limit: .milliseconds(300)) { _ in
          let turns = Timeline()
          async let first: Void = {
            for _ in 0..<60 {
              await Task.yield()
              turns.note("first")
            }
          }()
          for _ in 0..<60 {
            await Task.yield()
            turns.note("second")
          }
          let inRow = turns.lines.split(separator: "first").map(\.count).max() ?? 0
          // Alone without a switch, which shrinking tries.
          if inRow == 60 { block() }
          if inRow > 1 { throw RacyProgram.Failure() }
          await first
        }
      } catch {
        failure = error
      }
      precondition(failure is RacyProgram.Failure, "\(failure as Any)")
      precondition(stalls.lines.count <= 1)
      gate.signal()
    }
  }

  @Test func `a schedule search runs a stalling schedule only once`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let (stalls, gate) = (Timeline(), DispatchSemaphore(value: 0))
      @Sendable func block() { gate.wait() }
      let failure: (any Error)?
      do {
        try await Time.virtual(from: start, schedules: 1_000, limit: .milliseconds(300)) { _ in
          await ifOvertaken {
            stalls.note("stall")
            block()
          }
        }
        failure = nil
      } catch {
        failure = error
      }
      guard (failure as? VirtualTimeError)?.code == .stalled else {
        preconditionFailure("\(failure as Any)")
      }
      precondition(stalls.lines.count == 1)
      gate.signal()
    }
  }

  @Test func `after a deadlock in an explored schedule, a cancelled task can finish its Time.hold`()
    async
  {
    await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: start, schedules: 1_000, patience: .milliseconds(100)) { _ in
        let (stream, feed) = AsyncStream<Int>.makeStream()
        await ifOvertaken {
          journal.note("began")
          for await _ in stream {}
          await Time.hold {
            await withCheckedContinuation { continuation in
              DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { continuation.resume() }
            }
            journal.note("ended")
          }
        }
        feed.finish()
      }
    }
    #expect(journal.lines.count { $0 == "began" } == journal.lines.count { $0 == "ended" })
  }

  @Test func `a schedule search doesn't mistake work outside the scope for a deadlock`()
    async throws
  {
    let found = try await BareSearch.run(1...30) { _ in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) { continuation.resume() }
      }
    }
    #expect(found.isNone, "\(found)")
  }

  @Test func `a schedule search abandons a schedule in which a task yields endlessly`() async throws
  {
    let found = try await BareSearch.run(1...6) { _ in
      await ifOvertaken { while !Task.isCancelled { await Task.yield() } }
    }
    guard case .none(_, let report?) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(report.contains(" 100000 jobs"))
  }

  @Test(arguments: [RacyProgram.paidTwice, .earlyWake, .lateCancel, .threeSwitches])
  func `a failing schedule's number reproduces the failure in another process`(program: RacyProgram)
    async throws
  {
    let found = try await BareSearch.run(1...10_000) { _ in try await program.run(isRight: false) }
    let number = try #require(found.report?.number)
    let name = program.rawValue
    await #expect(processExitsWith: .success) {
      [name = name as String, number = number as Int] in
      let program = try #require(RacyProgram(rawValue: name))
      let found = try await BareSearch.run(number...number) { _ in
        try await program.run(isRight: false)
      }
      try #require(found.report?.number == number)
    }
  }
}

@Suite struct `Schedule numbers` {
  private func numbers(
    _ count: Int?, replaying pinned: [Int] = [], _ settings: [String: String] = [:]
  ) throws -> [Int] {
    try Array(ScheduleNumbers(count, replaying: pinned) { settings[$0] }.all)
  }

  @Test
  func `a schedule search first replays the listed schedules, then runs as many as requested`()
    throws
  {
    #expect(try numbers(3) == [1, 2, 3])
    #expect(try numbers(2, replaying: [137, 9]) == [137, 9, 1, 2])
    #expect(try numbers(nil, replaying: [137]) == [137])
  }

  @Test func `AMBIENT_SCHEDULE and AMBIENT_SCHEDULES override the requested schedule numbers`()
    throws
  {
    #expect(try numbers(3, ["AMBIENT_SCHEDULES": "2"]) == [1, 2])
    #expect(try numbers(3, replaying: [7], ["AMBIENT_SCHEDULES": "4...6"]) == [7, 4, 5, 6])
    #expect(try numbers(3, replaying: [7], ["AMBIENT_SCHEDULE": "137"]) == [137])
  }

  @Test(arguments: ["", "0", "-1", "5...4", "0...3", "many", "1...", "...5", "1..5"])
  func `an invalid AMBIENT_SCHEDULE or AMBIENT_SCHEDULES value throws an error`(text: String) throws
  {
    for name in ["AMBIENT_SCHEDULE", "AMBIENT_SCHEDULES"] {
      let error = #expect(throws: ScheduleError.self) { try numbers(3, [name: text]) }
      #expect(error?.code == .invalidSetting)
    }
  }

  @Test func `a schedule count or number below one throws an error`() throws {
    #expect(throws: ScheduleError(.noSchedules, "0")) { try numbers(0) }
    #expect(throws: ScheduleError(.noSchedules, "-4")) { try numbers(-4) }
    #expect(throws: ScheduleError(.noNumber, "0")) { try numbers(3, replaying: [5, 0]) }
  }
}
