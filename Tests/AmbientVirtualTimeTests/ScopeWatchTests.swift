// SPDX-License-Identifier: Apache-2.0

import Ambient
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

/// In processes of their own, since all scopes of a process are watched together: wake-ups of the
/// watch without the waits between them.
struct `Scope watch` {
  /// So many wake-ups, between any two of which the time of the scope passes.
  private static func look(_ count: Int, at time: VirtualTime) {
    for _ in 0..<count {
      let before = time.uptime
      while time.uptime == before { usleep(100) }
      _ = ScopeWatch.look()
    }
  }

  @Test(arguments: [
    (-1, 1), (0, 1), (1, 1), (50, 1), (51, 2), (100, 2), (101, 3), (500, 10), (60_000, 1_200),
  ])
  func `ScopeWatch plans one wake-up for each 50 ms of a duration, and at least one`(
    milliseconds: Int, count: Int
  ) {
    #expect(ScopeWatch.wakeUps(.milliseconds(milliseconds)) == count)
    #expect(ScopeWatch.wakeUps(.seconds(Int64.max)) == 1_000_000_000)
  }

  @Test func `ScopeWatch has nothing to watch while no scope is open`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for _ in 0..<2 {
        precondition(!ScopeWatch.look())
        try await Time.virtual(from: start) { _ in precondition(ScopeWatch.look()) }
      }
      precondition(!ScopeWatch.look())
    }
  }

  @Test func `a deadlock hidden by a repeating timer is reported once, and the scope continues`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let reports = Timeline()
      try await Diagnostics.withInstance(Self.notingStalls(in: reports)) {
        try await Self.lookInAScope(3_000, limit: .milliseconds(200))
      }
      precondition(reports.lines.count == 1, "\(reports.lines)")
      precondition(reports.lines[0].contains(#/ 20[0-9T:.-]+Z, /#))
      precondition(reports.lines[0].contains(": the body of the scope at AmbientVirtualTimeTests/"))
      precondition(reports.lines[0].contains("“heartbeat”"))
    }
  }

  @Test func `a scope without progress stalls and ends even if the main queue is blocked`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let reports = Timeline()
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.main.async { semaphore.wait() }
      let error = await #expect(throws: VirtualTimeError.self) {
        try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
          try await Time.virtual(from: start, limit: .milliseconds(200)) { _ in
            let (stream, feed) = AsyncStream<Int>.makeStream()
            for await _ in stream {}
            withExtendedLifetime(feed) {}
          }
        }
      }
      semaphore.signal()
      guard error?.code == .stalled else { preconditionFailure("\(error as Any)") }
      precondition(reports.lines.count == 1, "\(reports.lines)")
    }
  }

  @Test func `a stalled scope ends even if the diagnostics handler hangs`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let error = await #expect(throws: VirtualTimeError.self) {
        try await Diagnostics.withInstance(
          .calling { _ in DispatchSemaphore(value: 0).wait() }
        ) {
          try await Time.virtual(from: start, limit: .milliseconds(200)) { time in
            Outside.run { while ScopeWatch.look() { usleep(1_000) } }
            await Time.hold {
              await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
          }
        }
      }
      guard error?.code == .stalled else { preconditionFailure("\(error as Any)") }
    }
  }

  #if os(Linux)
    @Test
    func `if ScopeWatch can't start its thread, that is reported once, and scopes still work`()
      async
    {
      await #expect(processExitsWith: .success) {
        await ResourceLimit.forbidThreads()
        let reports = Timeline()
        try await Diagnostics.withInstance(.calling { reports.note($0.description) }) {
          for _ in 1...2 {
            try await Time.virtual(from: start) { time in
              try await Time.sleep(for: .seconds(60))
              precondition(time.uptime == .seconds(60))
            }
          }
        }
        precondition(reports.lines.count == 1, "\(reports.lines)")
        precondition(reports.lines[0].contains(ScopeWatch.noThread), "\(reports.lines)")
      }
    }
  #endif

  @Test
  func `if the concurrency pool starves scopes again later, the starvation is reported again`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let reports = Timeline()
      try await Diagnostics.withInstance(Self.notingStalls(in: reports)) {
        try await Time.virtual(from: start, limit: .milliseconds(200)) { time in
          for round in 1...2 {
            if round == 2 { time.scheduler.withState { $0.noteOthersHook("some_hook") } }
            await Time.hold { await Self.starve(time, until: { reports.lines.count == round }) }
            try await Time.sleep(for: .seconds(1))
            _ = ScopeWatch.look()
          }
        }
      }
      precondition(reports.lines.count == 2, "\(reports.lines)")
      precondition(reports.lines.allSatisfy { $0.contains(SharedQueue.pool.rawValue) })
      precondition(reports.lines.map { $0.contains(" some_hook, ") } == [false, true])
    }
  }

  @Test func `a main queue that starves a scope is reported even if the concurrency pool is free`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let reports = Timeline()
      let diagnostics = Diagnostics.calling {
        if $0.description.contains(SharedQueue.mainQueue.rawValue) { reports.note($0.description) }
      }
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.main.async { semaphore.wait() }
      try await Diagnostics.withInstance(diagnostics) {
        try await Time.virtual(from: start, limit: .milliseconds(200)) { _ in
          await Time.hold {
            await withCheckedContinuation { continuation in
              Outside.run {
                Task {
                  try await Self.lookInAScope(1_500)
                  precondition(Patience.wait { !reports.lines.isEmpty })
                  continuation.resume()
                }
              }
            }
          }
        }
      }
      semaphore.signal()
      precondition(reports.lines.count == 1, "\(reports.lines)")
    }
  }

  /// Diagnostics that note the descriptions of stalls.
  private static func notingStalls(in reports: Timeline) -> Diagnostics {
    .calling { if $0.kind == .stalled { reports.note($0.description) } }
  }

  /// Wakes up so many times, while a timer lets time pass in a scope of its own.
  private static func lookInAScope(
    _ count: Int, limit: Duration = VirtualTime.usualLimit
  ) async throws {
    try await Time.virtual(from: start, limit: limit) { time in
      Time.backgroundTask(name: "heartbeat") {
        for try await _ in Time.timer(every: .seconds(1)) {}
      }
      let (stream, feed) = AsyncStream<Int>.makeStream()
      Outside.run {
        look(count, at: time)
        feed.finish()
      }
      for await _ in stream {}
    }
  }

  /// Blocks all threads of the pool, looks until the condition holds, and a while on.
  private static func starve(
    _ time: VirtualTime, until condition: @escaping @Sendable () -> Bool
  ) async {
    let (semaphore, blocked) = (DispatchSemaphore(value: 0), Timeline())
    let width = ProcessInfo.processInfo.activeProcessorCount
    let count = width * 4
    @Sendable func block() {
      blocked.note("blocked")
      semaphore.wait()
    }
    await Outside.wait {
      for _ in 0..<count { Task.detached { block() } }
      // A pool that still answers lets the scope stand still.
      precondition(Patience.wait { blocked.lines.count >= width })
      while !condition() { _ = ScopeWatch.look() }
      for _ in 0..<2_000 { _ = ScopeWatch.look() }
      for _ in 0..<count { semaphore.signal() }
    }
  }
}
