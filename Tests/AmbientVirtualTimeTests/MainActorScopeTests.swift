// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

/// In a program that tests, the main actor's jobs stand in the scope's queue.
struct `Main actor jobs in a scope` {
  @MainActor final class Model {
    var lines: [String] = []

    nonisolated init() {}

    func note(_ name: String) {
      MainActor.assertIsolated()
      dispatchPrecondition(condition: .onQueue(.main))
      lines.append("\(Time.uptime / .seconds(1)) \(name)")
    }

    /// Ticks in a bare task, as a view does.
    func start() -> Task<Void, any Error> {
      Task {
        for try await _ in Time.timer(every: .seconds(1)) { note("tick") }
      }
    }
  }

  /// Tasks that hop there and back, beside one that lives there and a sleeper.
  private func log() async throws -> [String] {
    try await Time.virtual(from: start) { time in
      let model = Model()
      let ticks = await model.start()
      let sleeper = Time.task { try await Time.sleep(for: .seconds(2.5)) }
      let hops = ["a", "b", "c"].map { name in
        Task {
          for round in 0..<5 {
            await model.note("\(name)\(round)")
            await Task.yield()
          }
        }
      }
      for hop in hops { await hop.value }
      await MainActor.run { model.note("run") }
      try await sleeper.value
      try await time.advance(by: .seconds(1))
      ticks.cancel()
      _ = await ticks.result
      return await model.lines
    }
  }

  private static let expected =
    (0..<5).flatMap { round in ["a", "b", "c"].map { "0.0 \($0)\(round)" } }
    + ["0.0 run", "1.0 tick", "2.0 tick", "3.0 tick"]

  @Test func `in virtual time, main actor jobs run in order on the main queue`() async throws {
    #expect(try await distinct(300, log) == [Self.expected])
  }

  @Test(.long) func `on a busy machine, main actor jobs in virtual time run in order`() async throws
  {
    let logs = try await Load.threadsAndTasks.run { try await distinct(100, log) }
    #expect(logs == [Self.expected])
  }

  @Test func `the body of a virtual time scope can run on the main actor`() async throws {
    let expected = [
      "1.0 tick", "2.0 tick", "3.0 tick", "3.5 expired", "3.5 awaited", "4.0 tick",
    ]
    let logs = try await distinct(50) {
      try await Time.virtual(from: start) { time in try await waitOnMainActor(time) }
    }
    #expect(logs == [expected])
  }

  @MainActor private func waitOnMainActor(_ time: VirtualTime) async throws -> [String] {
    let model = Model()
    let ticks = model.start()
    let expiry = Time.task {
      try await Time.sleep(for: .seconds(3.5))
      model.note("expired")
    }
    try await expiry.value
    model.note("awaited")
    try await time.advance(by: .seconds(1))
    ticks.cancel()
    _ = await ticks.result
    return model.lines
  }

  @Test func `main actor jobs that are still queued when their virtual time scopes end are run`()
    async throws
  {
    let model = Model()
    let tasks = try await withThrowingTaskGroup { group in
      for scope in 0..<2 {
        group.addTask {
          try await Time.virtual(from: start) { _ in
            (0..<20).map { number in Task { @MainActor in model.lines.append("\(scope) \(number)") }
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    for task in tasks { await task.value }
    #expect(await model.lines.count == 40)
  }

  @Test func `a main actor task stays on the main actor after its virtual time scope has ended`()
    async throws
  {
    let (stream, feed) = AsyncStream<Int>.makeStream()
    let task = try await Time.virtual(from: start) { _ in
      Task { @MainActor in
        var sum = 0
        for await number in stream {
          MainActor.assertIsolated()
          dispatchPrecondition(condition: .onQueue(.main))
          sum += number
        }
        return sum
      }
    }
    feed.yield(1)
    await Task.yield()
    feed.yield(2)
    feed.finish()
    #expect(await task.value == 3)
  }
}
