// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import TestSupport
import Testing

private let start = "2026-11-27T00:00:00Z"
private let schedules = TestRun.rounds(50, all: 300, full: 1_000)

/// Calls the closure five times in each of four tasks, with a suspension after each call.
private func tell(_ number: @escaping @Sendable (Int, Int) -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for task in 0..<4 {
      group.addTask {
        for step in 0..<5 {
          number(task, step)
          await Task.yield()
        }
      }
    }
  }
}

struct `Recorders in many schedules` {
  @Test(.log(LogRecorder()), .virtualTime(from: start, schedules: schedules))
  func `in every task schedule, a LogRecorder has each task's records once and in order`()
    async throws
  {
    await tell { Log.info("step", ["task": $0, "step": $1]) }
    let records = try LogRecorder.current.records
    #expect(records.count == 20)
    for task in 0..<4 {
      let own = records.filter { $0.metadata["task"] == .integer(.init(task)) }
      #expect(own.map { $0.metadata["step"] } == (0..<5).map { .integer(.init($0)) })
    }
  }

  @Test(.analytics(AnalyticsRecorder()), .virtualTime(from: start, schedules: schedules))
  func `in every task schedule, AnalyticsRecorder has each task's events once and in order`()
    async throws
  {
    await tell { Analytics.track(Event("step", ["task": $0, "step": $1])) }
    let events = try AnalyticsRecorder.current.events
    #expect(events.count == 20)
    for task in 0..<4 {
      let own = events.filter { $0.properties["task"] == .integer(.init(task)) }
      #expect(own.map { $0.properties["step"] } == (0..<5).map { .integer(.init($0)) })
    }
  }
}

/// Consent whose owners answer between suspensions.
struct `Consent in many schedules` {
  @Test(.virtualTime(from: start, schedules: schedules))
  func `in every task schedule, the last status that a consent observer gets is current`() async {
    let consent = Consent()
    let told = Guarded<[ConsentStatus]>([])
    consent.onChange { _, status in told.withLock { $0.append(status) } }
    await tell { task, step in
      consent.set((task + step) % 2 == 0 ? .granted : .denied, for: .analytics)
    }
    let all = told.withLock { $0 }
    #expect(all.last == consent[.analytics])
    // No observer gets the same answer twice in a row.
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 != $1 })
  }
}
