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

@Suite(.quiet) struct `Virtual time in many schedules` {
  let journal = Timeline()

  @Test func `returns what the first run returns, and runs once more for each schedule`()
    async throws
  {
    let result = try await Time.virtual(from: start, schedules: 5, replaying: [7]) { _ in
      journal.note("run")
      return journal.lines.count
    }
    #expect(result == 1)
    #expect(journal.lines.count == 7)
  }

  @Test func `throws the error of the schedule that fails, and reports its number`() async throws {
    await #expect(throws: RacyProgram.Failure.self) {
      try await Time.virtual(from: start, schedules: 1_000) { _ in
        try await RacyProgram.lastItem.run(isRight: false)
      }
    }
    #expect(Test.reports.map(\.kind) == [.failedSchedule])
    #expect(Test.reports.first?.message.contains("AMBIENT_SCHEDULE=") == true)
  }

  @Test func `throws the error of the first run without a search`() async throws {
    await #expect(throws: RacyProgram.Failure.self) {
      try await Time.virtual(from: start, schedules: 1_000) { _ in
        journal.note("run")
        throw RacyProgram.Failure()
      }
    }
    #expect(journal.lines.count == 1)
    #expect(Test.reports.isEmpty)
  }

  @Test func `reports a task that one schedule leaves behind`() async throws {
    try await Time.virtual(from: start, schedules: 1_000) { _ in
      await ifOvertaken { Time.task { try await Time.sleep(for: .seconds(1)) } }
    }
    #expect(Set(Test.reports.map(\.kind)) == [.failedSchedule, .leftover])
  }

  @Test func `has the same identifiers and clocks in each schedule`() async throws {
    try await Time.virtual(
      from: start, schedules: 50, seed: 5, systemClocks: VirtualTime.hasSystemClocks
    ) { _ in
      journal.note("\(AmbientIdentifier.next()) \(Date()) \(ContinuousClock.now)")
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(journal.lines.count == 51)
    #expect(Set(journal.lines).count == 1)
  }

  @Test func `ends though a body ignores its cancellation`() async throws {
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

  @Test func `reports once a deadlock that its body turns into an error of its own`() async throws {
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

  @Test func `throws the cancellation of its task`() async {
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

  @Test func `keeps a failure whose shrinking runs into a stall`() async {
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

  @Test func `runs a schedule that stalls only once`() async {
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

  @Test func `lets a cancelled task of a schedule in a deadlock end its work in a hold`() async {
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

  @Test func `does not take work outside the scope for a deadlock`() async throws {
    let found = try await BareSearch.run(1...30) { _ in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) { continuation.resume() }
      }
    }
    #expect(found.isNone, "\(found)")
  }

  @Test func `gives up a schedule in which a task yields without end`() async throws {
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
  func `repeats a number alone in another process`(program: RacyProgram) async throws {
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

@Suite struct `The numbers of schedules` {
  private func numbers(
    _ count: Int?, replaying pinned: [Int] = [], _ settings: [String: String] = [:]
  ) throws -> [Int] {
    try Array(ScheduleNumbers(count, replaying: pinned) { settings[$0] }.all)
  }

  @Test func `are the pinned ones, then as many as were asked for`() throws {
    #expect(try numbers(3) == [1, 2, 3])
    #expect(try numbers(2, replaying: [137, 9]) == [137, 9, 1, 2])
    #expect(try numbers(nil, replaying: [137]) == [137])
  }

  @Test func `are those of the environment`() throws {
    #expect(try numbers(3, ["AMBIENT_SCHEDULES": "2"]) == [1, 2])
    #expect(try numbers(3, replaying: [7], ["AMBIENT_SCHEDULES": "4...6"]) == [7, 4, 5, 6])
    #expect(try numbers(3, replaying: [7], ["AMBIENT_SCHEDULE": "137"]) == [137])
  }

  @Test(arguments: ["", "0", "-1", "5...4", "0...3", "many", "1...", "...5", "1..5"])
  func `are refused if the environment has none`(text: String) throws {
    for name in ["AMBIENT_SCHEDULE", "AMBIENT_SCHEDULES"] {
      let error = #expect(throws: ScheduleError.self) { try numbers(3, [name: text]) }
      #expect(error?.code == .invalidSetting)
    }
  }

  @Test func `are one or more`() throws {
    #expect(throws: ScheduleError(.noSchedules, "0")) { try numbers(0) }
    #expect(throws: ScheduleError(.noSchedules, "-4")) { try numbers(-4) }
    #expect(throws: ScheduleError(.noNumber, "0")) { try numbers(3, replaying: [5, 0]) }
  }
}
