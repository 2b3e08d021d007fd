// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

struct `Advancing virtual time` {
  let timeline = Timeline()

  @Test func `advancing virtual time wakes each sleeper at its own deadline`() async throws {
    try await Time.virtual(from: start) { time in
      let task = Time.task {
        for try await date in Time.timer(every: .seconds(10)) {
          timeline.note(date.iso8601(fractionDigits: 0))
        }
      }
      try await time.advance(by: .seconds(25))
      #expect(Time.uptime == .seconds(25))
      #expect(timeline.lines.count == 2)
      try await time.advance(to: "2026-11-27T00:00:30Z")
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(
      timeline.lines == ["2026-11-27T00:00:10Z", "2026-11-27T00:00:20Z", "2026-11-27T00:00:30Z"])
  }

  @Test func `virtual time can't advance or jump backwards, and an advance by zero does nothing`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      try await time.advance(by: .seconds(10))
      let error = await #expect(throws: VirtualTimeError.self) {
        try await time.advance(by: .seconds(-1))
      }
      #expect(error == VirtualTimeError(.backwards(from: time.now, to: time.now - 1)))
      await #expect(throws: VirtualTimeError(.backwards(from: time.now, to: time.now - 10))) {
        try await time.advance(to: start)
      }
      await #expect(throws: VirtualTimeError.self) { try await time.jump(by: .seconds(-1)) }
      try await time.advance(by: .zero)
      try await time.advance(to: time.now)
      #expect(time.uptime == .seconds(10))
    }
  }

  @Test
  func `advance() throws if its sleepers count is negative and succeeds if the count is zero`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      let place = SourcePlace(fileID: #fileID, line: #line + 1)
      let advance = { try await time.advance(by: .seconds(1), sleepers: -3) }
      let error = VirtualTimeError(.negativeSleepers(-3, caller: place))
      await #expect(throws: error) { try await advance() }
      #expect(time.uptime == .zero)
      try await time.advance(by: .seconds(1), sleepers: 0)
      #expect(time.uptime == .seconds(1))
    }
  }

  @Test func `concurrent advances of virtual time run one after another`() async throws {
    try await Time.virtual(from: start) { time in
      timeline.sleeper("sleeper", 15)
      await withThrowingTaskGroup { group in
        for number in 1...3 {
          group.addTask {
            try await time.advance(by: .seconds(10))
            timeline.stamp("advance \(number)")
          }
        }
      }
    }
    #expect(
      timeline.lines == ["10.0 advance 1", "15.0 sleeper", "20.0 advance 2", "30.0 advance 3"])
  }

  @Test func `a cancelled advance of virtual time throws at once, and the next advance runs`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      let waiting = Time.task { try await time.advance(by: .seconds(10), sleepers: 1) }
      let next = Time.task { try await time.advance(by: .seconds(1)) }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      try await next.value
      #expect(time.uptime == .seconds(1))
    }
  }

  /// Both are outside the scope, which would not go on by itself when the first has its error.
  @Test func `if an advance fails for lack of expected sleepers, the next advance still runs`()
    async throws
  {
    let (times, give) = AsyncStream<VirtualTime>.makeStream()
    let (promise, keep) = AsyncStream<Void>.makeStream()
    let advances = Task { [timeline] in
      guard let time = await times.first(where: { _ in true }) else { return }
      let first = Task {
        do {
          try await time.advance(by: .seconds(1), sleepers: 1)
        } catch {
          timeline.note("failed")
        }
      }
      _ = await Patience.waitIdly {
        time.scheduler.withState { $0.account }().contains("an advance at")
      }
      try await time.advance(by: .seconds(1))
      timeline.note("advanced by \(time.uptime)")
      await first.value
      keep.finish()
    }
    try await Diagnostics.withInstance(.calling { _ in }) {
      try await Time.virtual(from: start, limit: Stall.limit, patience: .seconds(300)) { time in
        give.yield(time)
        for await _ in promise {}
      }
    }
    try await advances.value
    #expect(timeline.lines.sorted() == ["advanced by 1.0 seconds", "failed"])
  }

  @Test func `VirtualTime.run() advances time until no task sleeps`() async throws {
    try await Time.virtual(from: start) { time in
      for seconds in [30, 10, 20] { timeline.sleeper("sleeper", Double(seconds)) }
      try await time.run()
      timeline.stamp("run")
    }
    #expect(timeline.lines == ["10.0 sleeper", "20.0 sleeper", "30.0 sleeper", "30.0 run"])
  }

  @Test func `if a timer never ends, VirtualTime.run(limit) throws at the limit, naming the timer`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      let timer = Time.task { for try await _ in Time.timer(every: .seconds(1)) {} }
      let error = await #expect(throws: VirtualTimeError.self) { try await time.run(limit: 100) }
      #expect(time.uptime == .seconds(100))
      #expect(error?.code == .endless && error?.sleepers == time.sleepers)
      #expect(error?.description.contains("AmbientVirtualTimeTests/AdvanceTests.swift") == true)
      timer.cancel()
    }
  }

  @Test func `VirtualTime.run(until) checks its condition only after ready tasks have run`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      Time.task { timeline.stamp("ran") }
      try await time.run(limit: 0, until: { !timeline.lines.isEmpty })
    }
    #expect(timeline.lines == ["0.0 ran"])
  }

  @Test func `VirtualTime.run(until) stops as soon as its condition is true`() async throws {
    try await Time.virtual(from: start) { time in
      for seconds in 1...10 { timeline.sleeper("sleeper", Double(seconds)) }
      try await time.run(until: { timeline.lines.count == 4 })
      #expect(time.uptime == .seconds(4))
      try await time.run(until: { true })
      #expect(time.uptime == .seconds(4))
      await #expect(throws: VirtualTimeError.self) {
        try await time.run(limit: 2, until: { false })
      }
      #expect(time.uptime == .seconds(6))
      let error = await #expect(throws: VirtualTimeError.self) {
        try await time.run(until: { false })
      }
      #expect(error?.description.contains("AmbientVirtualTimeTests/AdvanceTests.swift") == true)
      #expect(time.uptime == .seconds(10))
      let last = await #expect(throws: VirtualTimeError.self) {
        try await time.run(limit: 0, until: { false })
      }
      #expect(last?.code == .nothingSleeps)
    }
  }
}
