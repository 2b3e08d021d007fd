// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

/// A sleep in a scope that has ended lasts as long as it says, in real time.
struct `Sleeps after the end of a scope` {
  private let rounds = Timeline()
  private let reports = Timeline()

  /// A worker of the process's, which a test happened to start.
  private func work(by way: Way) async throws -> Task<Void, any Error> {
    try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      try await Time.virtual(from: start) { _ in way.start(rounds) }
    }
  }

  enum Way: CaseIterable, Sendable {
    case bare, detached, own

    func start(_ rounds: Timeline) -> Task<Void, any Error> {
      switch self {
      case .bare: return Task { await Self.work(rounds) }
      case .detached:
        let scope = AmbientScope.capture()
        return Task.detached { await scope.run { await Self.work(rounds) } }
      case .own: return Time.task { await Self.work(rounds) }
      }
    }

    private static func work(_ rounds: Timeline) async {
      // The limit ends a worker that never sleeps, which would keep the pool's threads from the test.
      while !Task.isCancelled, rounds.lines.count < 1_000 {
        rounds.note("round")
        try? await Task.sleep(for: .seconds(3_600), clock: Time.clock())
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `sleeps after the end of a virtual time scope take real time and are reported once`(
    way: Way
  ) async throws {
    let worker = try await work(by: way)
    #expect(await Patience.waitIdly { !rounds.lines.isEmpty && !reports.lines.isEmpty })
    // Time enough for far more than ten rounds.
    try await Task.sleep(for: .milliseconds(300))
    #expect((1...10).contains(rounds.lines.count))
    // Wakes at once.
    worker.cancel()
    try await worker.value
    let late = reports.lines.filter { $0.contains("AmbientScope.outside { }") }
    #expect(late.count == 1, "\(reports.lines)")
    #expect(late.first?.contains("LateSleepTests.swift:") == true)
    #expect(late.first?.contains(" sleeps for 3600.0 seconds") == true)
  }

  @Test func `a sleeping task that outlives its virtual time scope doesn't disturb later scopes`()
    async throws
  {
    let worker = try await work(by: .bare)
    for _ in 0..<20 {
      try await Time.virtual(from: start) { time in
        try await Time.sleep(for: .seconds(60))
        #expect(time.uptime == .seconds(60))
      }
    }
    worker.cancel()
    try await worker.value
  }

  /// A scope that has ended.
  private func ended() async throws -> (AmbientScope, VirtualTime) {
    try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
      try await Time.virtual(from: start) { (AmbientScope.capture(), $0) }
    }
  }

  @Test func `the clocks of an ended virtual time scope continue in real time`() async throws {
    let (scope, time) = try await ended()
    #expect(time.uptime == .zero)
    try await scope.run { try await Time.sleep(for: .milliseconds(20)) }
    #expect(time.uptime >= .milliseconds(20))
    let first = Reading(of: time)
    try await first.real.sleep(for: .milliseconds(20))
    let last = Reading(of: time)
    let passed = last.uptime - first.uptime
    #expect(last.before - first.after <= passed)
    #expect(passed <= last.after - first.before)
    let shown = Duration.seconds(last.date.timeIntervalSince(first.date))
    // A date is rounded.
    #expect(last.before - first.after - .milliseconds(1) <= shown)
    #expect(shown <= last.after - first.before + .milliseconds(1))
  }

  /// What the clocks of a scope showed between two instants of real time.
  private struct Reading {
    let real = DefaultTime()
    let before, uptime, after: Duration
    let date: Date

    init(of time: VirtualTime) {
      before = real.uptime
      (uptime, date) = (time.uptime, time.now)
      after = real.uptime
    }
  }

  @Test func `in an ended scope, a Time.timer keeps its interval while another task sleeps longer`()
    async throws
  {
    try await ended().0.run {
      let other = Task { try await Time.sleep(for: .milliseconds(200)) }
      try await DefaultTime().sleep(for: .milliseconds(100))
      let began = DefaultTime().uptime
      var ticks = 0
      for try await _ in Time.timer(every: .milliseconds(20), missed: .burst) {
        ticks += 1
        if ticks == 8 { break }
      }
      #expect(DefaultTime().uptime - began >= .milliseconds(160))
      try await other.value
    }
  }

  @Test func `after the end of a scope, a sleep in a cancelled task throws at once`() async throws {
    let scope = try await Time.virtual(from: start) { _ in AmbientScope.capture() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await scope.run { try await Time.sleep(for: .seconds(3_600)) }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
