// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

/// In a program that tests, bare tasks belong to the scope whose tasks start them.
@Suite(.serialized)
struct `Bare tasks in virtual time` {
  struct Diagram: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: [String]
    let make: @Sendable () -> AsyncStream<String>

    init(
      _ name: String, _ expected: [String], _ make: @escaping @Sendable () -> AsyncStream<String>
    ) {
      testDescription = name
      self.expected = expected
      self.make = make
    }
  }

  static let diagrams = [
    Diagram("debounce, values three steps apart", ["3.0 a", "7.0 b", "11.0 c"]) {
      BareOperators.debounce(BareOperators.letters("a---b---c---"), for: .seconds(3))
    },
    Diagram("debounce, closer ones", ["6.0 d", "11.0 e", "17.0 g"]) {
      BareOperators.debounce(BareOperators.letters("abcd----e---f-g----"), for: .seconds(3))
    },
    Diagram("debounce, the last one at the end", ["4.0 c"]) {
      BareOperators.debounce(BareOperators.letters("a-bc"), for: .seconds(3))
    },
    Diagram("debounce, nothing", []) {
      BareOperators.debounce(BareOperators.letters("----"), for: .seconds(3))
    },
    Diagram("merge", ["0.0 a", "0.0 x", "1.0 y", "2.0 b", "4.0 c", "4.0 z"]) {
      BareOperators.merge(BareOperators.letters("a-b-c"), BareOperators.letters("xy--z"))
    },
    Diagram("zip", ["1.0 ax", "2.0 by", "5.0 cz"]) {
      BareOperators.zip(BareOperators.letters("ab-c--"), BareOperators.letters("-xy--z"))
    },
    Diagram("buffer", ["0.0 a", "4.0 d", "8.0 h"]) {
      BareOperators.buffer(BareOperators.letters("abcdefgh"), limit: 1)
    },
  ]

  /// What comes when; the buffer's reader is slow.
  private func log(_ diagram: Diagram) async throws -> [String] {
    try await Time.virtual(from: start) { _ in
      var lines: [String] = []
      for await element in diagram.make() {
        lines.append("\(Time.uptime / .seconds(1)) \(element)")
        if diagram.testDescription == "buffer" { try await Time.sleep(for: .seconds(4)) }
      }
      return lines
    }
  }

  @Test(.quiet, arguments: diagrams)
  func `in every run, async operators built on bare Tasks emit at exact virtual times`(
    diagram: Diagram
  ) async throws {
    #expect(try await distinct(200) { try await log(diagram) } == [diagram.expected])
    // It ends with its last pair, while a letter still takes its second.
    #expect(Test.reports.count == (diagram.testDescription == "zip" ? TestRun.rounds(200) : 0))
  }

  @Test(.long, .serialized, arguments: diagrams)
  func `on a busy machine, async operators built on bare Tasks emit at exact virtual times`(
    diagram: Diagram
  ) async throws {
    let logs = try await Load.threadsAndTasks.run {
      try await distinct(200) { try await log(diagram) }
    }
    #expect(logs == [diagram.expected])
  }

  actor Register {
    private(set) var lines: [String] = []

    func note(_ name: String, rounds: Int) async {
      for round in 0..<rounds {
        lines.append("\(name)\(round)")
        await Task.yield()
      }
    }

    /// Three that start in the actor itself.
    func noteLater() -> [Task<Void, Never>] {
      ["a", "b", "c"].map { name in Task { await note(name, rounds: 5) } }
    }
  }

  /// The order in which three bare tasks enter one actor.
  private func entries() async throws -> [String] {
    try await Time.virtual(from: start) { _ in
      let register = Register()
      let outside = ["x", "y", "z"].map { name in
        Task {
          await register.note(name, rounds: 5)
          try? await Time.sleep(for: .seconds(1))
          await register.note(name.uppercased(), rounds: 5)
        }
      }
      for task in await register.noteLater() + outside { await task.value }
      return await register.lines
    }
  }

  @Test func `in every run, bare Tasks in virtual time enter an actor in the same order`()
    async throws
  {
    let expected = try await entries()
    #expect(expected.count == 45)
    #expect(try await distinct(300, entries) == [expected])
  }

  @Test(.long)
  func `on a busy machine, bare Tasks in virtual time enter an actor in the same order`()
    async throws
  {
    let logs = try await Load.threadsAndTasks.run { try await distinct(300, entries) }
    #expect(logs.count == 1)
  }

  /// Whether no time passes while this task yields, once something else has resumed it.
  private func staysInScope() async -> Bool {
    // A hold, since nobody can know how long others take.
    await Time.hold { await Outside.wait {} }
    let before = Time.uptime
    for _ in 0..<20 { await Task.yield() }
    return before == Time.uptime
  }

  @Test func `a bare Task resumed by code outside its virtual time scope stays in the scope`()
    async throws
  {
    for _ in 0..<50 {
      try await Time.virtual(from: start) { time in
        let sleeper = Task { try await Time.sleep(for: .seconds(10)) }
        let task = Task { await staysInScope() }
        #expect(await task.value)
        try await sleeper.value
        #expect(time.uptime == .seconds(10))
      }
    }
  }

  @Test func `a bare Task resumed by a nested virtual time scope stays in its own scope`()
    async throws
  {
    // Collected: on a busy machine a scope may report that it waits for the other.
    try await Diagnostics.withInstance(.calling { _ in }) {
      for _ in 0..<20 { try await resumeFromAScopeWithin() }
    }
  }

  private func resumeFromAScopeWithin() async throws {
    try await Time.virtual(from: start) { time in
      let (stream, feed) = AsyncStream<Int>.makeStream()
      let sleeper = Task { try await Time.sleep(for: .seconds(10)) }
      let reader = Task {
        for await _ in stream { await Task.yield() }
        return await staysInScope()
      }
      try await time.advance(by: .zero)
      try await Time.virtual(from: start) { _ in
        feed.yield(1)
        for _ in 0..<5 { await Task.yield() }
      }
      feed.finish()
      #expect(await reader.value)
      try await sleeper.value
    }
  }

  @Test func `a detached task belongs to the scope that starts it but has no VirtualTime.current`()
    async throws
  {
    let timeline = Timeline()
    try await Time.virtual(from: start) { time in
      let scope = AmbientScope.capture()
      timeline.sleeper("sleeper", 10)
      await Task.detached {
        for _ in 0..<1_000 { await Task.yield() }
        #expect((try? VirtualTime.current) == nil)
        scope.run { timeline.stamp("detached") }
      }.value
      try await time.run()
    }
    #expect(timeline.lines == ["0.0 detached", "10.0 sleeper"])
  }

  @Test func `a bare Task continues to run after its virtual time scope has ended`() async throws {
    let (stream, feed) = AsyncStream<Int>.makeStream()
    let task = try await Time.virtual(from: start) { _ in
      Task {
        var sum = 0
        for await number in stream { sum += number }
        return sum
      }
    }
    feed.yield(1)
    feed.yield(2)
    feed.finish()
    #expect(await task.value == 3)
  }
}

/// The outcomes of so many runs, or of fewer under a sanitizer.
func distinct<R: Hashable>(_ count: Int, _ body: () async throws -> R) async rethrows -> Set<R> {
  var outcomes: Set<R> = []
  for _ in 0..<TestRun.rounds(count) { outcomes.insert(try await body()) }
  return outcomes
}

/// A thread of its own, which belongs to no scope.
enum Outside {
  static func run(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

  /// Waits until it has run `body`.
  static func wait<R: Sendable>(for body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      run { continuation.resume(returning: body()) }
    }
  }
}
