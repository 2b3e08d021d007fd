// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

/// An actor whose loop waits for another task by sleeps that are over at once.
private actor Waiting {
  private var isDone = false
  private var sleeps = 0

  /// Sleeps until `finish` has run, and returns how often.
  func sleepUntilDone(_ sleep: @Sendable () async throws -> Void) async throws -> Int {
    let other = Task { self.finish() }
    while !isDone, sleeps < 10_000 {
      try await sleep()
      sleeps += 1
    }
    await other.value
    return sleeps
  }

  private func finish() { isDone = true }
}

/// A sleep whose deadline is not later than now.
private enum PastSleep: CaseIterable {
  case zero, negative, untilPast, byClock, timer

  @Sendable func sleep() async throws {
    switch self {
    case .zero: try await Time.sleep(for: .zero)
    case .negative: try await Time.sleep(for: .seconds(-1))
    case .untilPast: try await Time.sleep(until: Time.now - 60)
    case .byClock: try await Task.sleep(until: .now - .seconds(1), clock: Time.clock())
    case .timer: for try await _ in Time.timer(every: .zero) { return }
    }
  }
}

@Suite struct `Sleeps that are already due` {
  // The loop runs on its actor. `Task { }` of the actor waits until the loop suspends.
  @Test(.isolatedAmbients, arguments: PastSleep.allCases)
  private func `in real time, a sleep that is already due lets its actor's other tasks run`(
    _ way: PastSleep
  ) async throws {
    #expect(try await Waiting().sleepUntilDone(way.sleep) <= 3)
  }

  @Test(.frozen(at: "2026-11-27T00:00:00Z"), arguments: PastSleep.allCases)
  private func `in frozen time, a sleep that is already due lets its actor's other tasks run`(
    _ way: PastSleep
  ) async throws {
    #expect(try await Waiting().sleepUntilDone(way.sleep) <= 3)
  }

  @Test(.scaled(by: 1_000), arguments: PastSleep.allCases)
  private func `in scaled time, a sleep that is already due lets its actor's other tasks run`(
    _ way: PastSleep
  ) async throws {
    #expect(try await Waiting().sleepUntilDone(way.sleep) <= 3)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), arguments: PastSleep.allCases)
  private func `in virtual time, a sleep that is already due lets its actor's other tasks run`(
    _ way: PastSleep
  ) async throws {
    #expect(try await Waiting().sleepUntilDone(way.sleep) <= 3)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand))
  func `in virtual time that is advanced by hand, a sleep of zero ends without an advance`()
    async throws
  {
    try await Time.sleep(for: .zero)
    #expect(Time.uptime == .zero)
  }

  @Test(.isolatedAmbients)
  func `in a cancelled task, a sleep of zero length throws a CancellationError`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Time.sleep(for: .zero)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

@Suite struct `TimeClock instants` {
  @Test(.frozen(at: "2026-11-27T00:00:00Z"))
  func `a TimeClock instant supports the arithmetic operators of ContinuousClock`() {
    let now = Time.clock().now
    var later = now + .seconds(150)
    #expect(later - now == .seconds(150))
    #expect(later - .seconds(150) == now)
    later += .seconds(1)
    later -= .seconds(151)
    #expect(later == now)
  }
}
