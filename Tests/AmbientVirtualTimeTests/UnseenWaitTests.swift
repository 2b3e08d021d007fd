// SPDX-License-Identifier: Apache-2.0

import AmbientTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import AmbientVirtualTime

/// Answers on a Dispatch queue after some real time. The scope does not see the wait.
private func answer(after milliseconds: Int) async -> String {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      continuation.resume(returning: "answer")
    }
  }
}

/// A wait that ends when it is cancelled, and for no other reason.
@Sendable private func waitForNothing() async {
  let (stream, continuation) = AsyncStream<Never>.makeStream()
  for await _ in stream {}
  continuation.finish()
}

@Suite(.long) struct `Timeouts around waits outside the scope` {
  @Test func `a timeout returns an answer that comes from outside the scope within the patience`()
    async throws
  {
    let kinds = Guarded<[Diagnostic.Kind]>([])
    let report = Diagnostics.calling { diagnostic in kinds.withLock { $0.append(diagnostic.kind) } }
    try await Diagnostics.withInstance(report) {
      try await Time.virtual(from: start, patience: .seconds(20)) { _ in
        for _ in 0..<3 {
          let text = try await Time.timeout(after: .seconds(5)) { await answer(after: 50) }
          #expect(text == "answer")
        }
        #expect(Time.uptime == .zero)
      }
    }
    #expect(kinds.withLock { $0 } == [.leftScope])
  }

  @Test func `a timeout returns an answer that is awaited in Time.hold, without a report`()
    async throws
  {
    try await Time.virtual(from: start) { _ in
      let text = try await Time.timeout(after: .seconds(5)) {
        await Time.hold { await answer(after: 50) }
      }
      #expect(text == "answer")
      #expect(Time.uptime == .zero)
    }
  }

  @Test func `if a timeout's body waits outside the scope, the error suggests Time.hold`()
    async throws
  {
    try await Time.virtual(from: start, patience: .milliseconds(50)) { _ in
      let error = await #expect(throws: Time.TimeoutError.self) {
        try await Time.timeout(after: .seconds(5), line: 7) { await waitForNothing() }
      }
      let seen = await #expect(throws: Time.TimeoutError.self) {
        try await Time.timeout(after: .seconds(5), line: 7) {
          try await Time.sleep(for: .seconds(60))
        }
      }
      #expect(Time.uptime == .seconds(10))
      #expect(error?.caller == SourcePlace(fileID: #fileID, line: 7))
      #expect(error?.description.contains("Time.hold { }") == true)
      #expect(seen?.description.contains("Time.hold") == false)
      #expect(error?.duration == seen?.duration && error?.caller == seen?.caller)
    }
  }

  @Test func `a thousand timeouts around waits outside the scope fire at the same virtual instant`()
    async throws
  {
    try await Time.virtual(from: start, patience: .milliseconds(50)) { _ in
      let advice = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<1_000 {
          group.addTask {
            do {
              try await Time.timeout(after: .seconds(5)) { await waitForNothing() }
              return false
            } catch {
              return "\(error)".contains("Time.hold { }")
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(advice == 1_000)
      #expect(Time.uptime == .seconds(5))
    }
  }

  @Test
  func `if another task sleeps or time is advanced, a timeout ignores the scope's patience`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      let other = Time.task { try await Time.sleep(for: .seconds(60)) }
      let seen = await #expect(throws: Time.TimeoutError.self) {
        try await Time.timeout(after: .seconds(5)) { await waitForNothing() }
      }
      try await other.value
      let limited = Time.task {
        try await Time.timeout(after: .seconds(5)) { await waitForNothing() }
      }
      try await time.advance(by: .seconds(5))
      let advanced = await #expect(throws: Time.TimeoutError.self) { try await limited.value }
      #expect(Time.uptime == .seconds(65))
      #expect(seen?.isSeen == true && advanced?.isSeen == true)
    }
  }

  @Test func `a background task's timer ticks while the scope waits only for timeouts`()
    async throws
  {
    try await Time.virtual(from: start, patience: .milliseconds(50)) { _ in
      let (ticks, tick) = AsyncStream<Void>.makeStream()
      Time.backgroundTask {
        for try await _ in Time.timer(every: .seconds(1)) { tick.yield() }
      }
      let count = try await Time.timeout(after: .seconds(10)) {
        var count = 0
        for await _ in ticks.prefix(5) { count += 1 }
        return count
      }
      #expect(count == 5)
      #expect(Time.uptime == .seconds(5))
    }
  }

  @Test func `a timeout returns an outside answer even if a background timer is due as well`()
    async throws
  {
    try await Diagnostics.withInstance(.calling { _ in }) {
      try await Time.virtual(from: start, patience: .seconds(20)) { _ in
        Time.backgroundTask { for try await _ in Time.timer(every: .seconds(1)) {} }
        let text = try await Time.timeout(after: .seconds(5)) { await answer(after: 50) }
        #expect(text == "answer")
      }
    }
  }

  @Test func `an inner timeout around a wait outside the scope fires before the outer timeout`()
    async throws
  {
    try await Time.virtual(from: start, patience: .milliseconds(50)) { _ in
      let error = await #expect(throws: Time.TimeoutError.self) {
        try await Time.timeout(after: .seconds(60), line: 1) {
          try await Time.timeout(after: .seconds(5), line: 2) { await waitForNothing() }
        }
      }
      #expect(error?.caller.line == 2)
      #expect(Time.uptime == .seconds(5))
    }
  }
}

/// The steps of a scope with sleepers, each of which is a number of seconds.
struct `Timeout limits` {
  @Test func `timeouts with the same deadline wait for the scope's patience only once`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      for seconds in [5, 5, 7] { scope.sleep(seconds, isLimit: true) }
      #expect(scope.step() == "none")
      let first = scope.ticks(10).prefix { $0 != "pass to limit" }
      #expect(first.allSatisfy { $0 == "ask" } && first.count < 10)
      #expect(scope.steps(3) == ["throw UnseenLimit", "throw UnseenLimit", "none"])
      #expect(scope.state.now == .seconds(5))
      #expect(scope.ticks(10).contains("pass to limit"))
      #expect(scope.steps(2) == ["throw UnseenLimit", "none"])
      #expect(scope.state.now == .seconds(7))
    }
  }

  @Test func `timeouts don't wait for the scope's patience while another task sleeps`() async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.sleep(5, isLimit: true)
      scope.sleep(3, isLimit: true)
      scope.sleep(5)
      #expect(scope.steps(4) == ["resume true", "resume true", "resume true", "none"])
    }
  }

  @Test func `a timeout waits for the patience even if a background task has the same deadline`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.sleep(5, isLimit: true)
      scope.sleep(5, isBackground: true)
      #expect(scope.steps(2) == ["resume true", "none"])
      #expect(scope.ticks(10).contains("pass to limit"))
      #expect(scope.steps(2) == ["throw UnseenLimit", "none"])
    }
  }

  @Test func `if an earlier timeout is cancelled, the next timeout waits for the patience again`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      let allowed = scope.sleep(5, isLimit: true)
      scope.sleep(6, isLimit: true)
      #expect(scope.step() == "none")
      #expect(scope.ticks(10).contains("pass to limit"))
      #expect(scope.state.cancel(allowed.id) != nil)
      #expect(scope.step() == "none")
    }
  }

  @Test func `a timeout fires after the scope's patience even if the main queue is blocked`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.sleep(5, isLimit: true)
      #expect(scope.step() == "none")
      var finding = ""
      for _ in 0..<40 where finding != "pass to limit" { finding = scope.tick(main: false) }
      #expect(finding == "pass to limit")
      #expect(scope.step() == "throw UnseenLimit")
    }
  }
}

@Suite(.long) struct `Holds that wait for a sleeper` {
  @Test func `a stall error hints that an open Time.hold may wait for a sleeper of its own scope`()
    async throws
  {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Diagnostics.withInstance(.calling { _ in }) {
        try await Time.virtual(from: start, limit: .milliseconds(200)) { _ in
          let sleeper = Time.task { try await Time.sleep(for: .seconds(1)) }
          try await Time.hold { try await sleeper.value }
        }
      }
    }
    #expect(error?.waiting.count { $0.hasSuffix(ScopeSnapshot.blocking) } == 1)
  }
}
