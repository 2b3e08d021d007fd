import Ambient
import AmbientTesting
import Dispatch
import Foundation
import TestSupport
import Testing

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

@Suite(.long) struct `A timeout around a wait that the scope does not see` {
  @Test func `returns the answer that comes within the patience, and is reported`() async throws {
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

  @Test func `returns a held answer without a report`() async throws {
    try await Time.virtual(from: start) { _ in
      let text = try await Time.timeout(after: .seconds(5)) {
        await Time.hold { await answer(after: 50) }
      }
      #expect(text == "answer")
      #expect(Time.uptime == .zero)
    }
  }

  @Test func `names the place and the hold when the limit comes first`() async throws {
    try await Time.virtual(from: start, patience: .milliseconds(50)) { _ in
      let error = await #expect(throws: TimeoutError.self) {
        try await Time.timeout(after: .seconds(5), line: 7) { await waitForNothing() }
      }
      let seen = await #expect(throws: TimeoutError.self) {
        try await Time.timeout(after: .seconds(5), line: 7) {
          try await Time.sleep(for: .seconds(60))
        }
      }
      #expect(Time.uptime == .seconds(10))
      #expect(error?.caller == SourcePlace(fileID: #fileID, line: 7))
      #expect(error?.description.contains("Time.hold { }") == true)
      #expect(seen?.description.contains("Time.hold") == false)
      #expect(error == seen)
      #expect(error?.hashValue == seen?.hashValue)
    }
  }

  @Test func `waits once for all limits of one instant`() async throws {
    // A patience for each limit would last longer than the test may.
    try await Time.virtual(from: start, limit: .seconds(600), patience: .milliseconds(50)) { _ in
      let ended = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<1_000 {
          group.addTask {
            do {
              try await Time.timeout(after: .seconds(5)) { await waitForNothing() }
              return false
            } catch {
              return error is TimeoutError
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(ended == 1_000)
      #expect(Time.uptime == .seconds(5))
    }
  }

  @Test func `needs no patience if another task sleeps, or if time is advanced`() async throws {
    // If it needed the patience, the scope would be stalled first.
    try await Time.virtual(from: start, limit: .seconds(2), patience: .seconds(3_600)) { time in
      let other = Time.task { try await Time.sleep(for: .seconds(60)) }
      await #expect(throws: TimeoutError.self) {
        try await Time.timeout(after: .seconds(5)) { await waitForNothing() }
      }
      try await other.value
      let limited = Time.task {
        try await Time.timeout(after: .seconds(5)) { await waitForNothing() }
      }
      try await time.advance(by: .seconds(5))
      await #expect(throws: TimeoutError.self) { try await limited.value }
      #expect(Time.uptime == .seconds(65))
    }
  }

  @Test func `lets a background task tick while only limits are left`() async throws {
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

  @Test func `nests: the inner limit ends first, and each ends once`() async throws {
    try await Time.virtual(from: start, patience: .milliseconds(50)) { _ in
      let error = await #expect(throws: TimeoutError.self) {
        try await Time.timeout(after: .seconds(60), line: 1) {
          try await Time.timeout(after: .seconds(5), line: 2) { await waitForNothing() }
        }
      }
      #expect(error?.caller.line == 2)
      #expect(Time.uptime == .seconds(5))
    }
  }
}

@Suite(.long) struct `A hold that waits for a sleeper of its scope` {
  @Test func `is reported as a hold that cannot end`() async throws {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Diagnostics.withInstance(.calling { _ in }) {
        try await Time.virtual(from: start, limit: .milliseconds(200)) { _ in
          let sleeper = Time.task { try await Time.sleep(for: .seconds(1)) }
          try await Time.hold { try await sleeper.value }
        }
      }
    }
    #expect(error?.description.contains("if it waits for one of the sleepers") == true)
  }
}
