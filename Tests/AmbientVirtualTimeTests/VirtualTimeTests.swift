// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient
@testable import AmbientVirtualTime

struct `Virtual time` {
  let timeline = Timeline()

  @Test func `virtual time passes by itself while all tasks wait`() async throws {
    try await Time.virtual(from: start) { _ in
      await withThrowingTaskGroup { group in
        for seconds in [3, 1, 2] {
          group.addTask {
            try await Time.sleep(for: .seconds(seconds))
            timeline.stamp("child of \(seconds)")
          }
        }
      }
      try await Time.sleep(for: .seconds(86_400))
      timeline.stamp("body")
      #expect(try Time.now == Date(iso8601: "2026-11-28T00:00:03Z"))
    }
    #expect(
      timeline.lines == ["1.0 child of 1", "2.0 child of 2", "3.0 child of 3", "86403.0 body"])
  }

  @Test func `virtual time passes while the body awaits a task, a stream or an actor`() async throws
  {
    actor Gate {
      func pass() async throws { try await Time.sleep(for: .seconds(3)) }
    }
    try await Time.virtual(from: start) { _ in
      try await timeline.sleeper("task", 1).value
      let (stream, feed) = AsyncStream<Int>.makeStream()
      Time.task {
        try await Time.sleep(for: .seconds(2))
        feed.finish()
      }
      for await _ in stream {}
      timeline.stamp("stream")
      try await Gate().pass()
      timeline.stamp("actor")
    }
    #expect(timeline.lines == ["1.0 task", "3.0 stream", "6.0 actor"])
  }

  @Test func `sleepers that are due together wake in the order they began to sleep`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      for number in 0..<50 { timeline.sleeper("\(number)", 7) }
      try await time.advance(by: .seconds(2))
      for number in 50..<100 { timeline.sleeper("\(number)", 5) }
      try await time.advance(by: .seconds(5))
    }
    #expect(timeline.lines == (0..<100).map { "7.0 \($0)" })
  }

  @Test func `in virtual time, a sleep until now or earlier ends at once and isn't recorded`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      try await Time.sleep(for: .zero)
      try await Time.sleep(for: .seconds(-1))
      try await Time.sleep(until: time.now)
      try await Time.sleep(until: time.now - 60)
      try await Task.sleep(until: .now, clock: Time.clock())
      #expect(time.uptime == .zero)
      #expect(time.sleeps.isEmpty)
    }
  }

  @Test func `a cancelled sleep in virtual time throws at once and leaves no sleeper`() async throws
  {
    try await Time.virtual(from: start) { time in
      let task = timeline.sleeper("sleeper", 100)
      try await time.advance(by: .seconds(1))
      #expect(time.sleepers.count == 1)
      task.cancel()
      try await task.value
      #expect(time.sleepers.isEmpty)
      let early = timeline.sleeper("early", 100)
      early.cancel()
      try await early.value
      #expect(time.sleepers.isEmpty)
      #expect(time.uptime == .seconds(1))
    }
    #expect(timeline.lines == ["1.0 sleeper cancelled", "1.0 early cancelled"])
  }

  @Test func `VirtualTime lists the tasks that sleep and all sleeps so far`() async throws {
    try await Time.virtual(from: start) { time in
      timeline.sleeper("late", 900)
      timeline.sleeper("soon", 60)
      Time.task(name: "expiry") { try await Time.sleep(for: .seconds(300)) }
      try await time.advance(by: .seconds(100))
      #expect(time.sleepers.map(\.duration) == [.seconds(300), .seconds(900)])
      #expect(time.sleeps.map(\.duration) == [.seconds(900), .seconds(60), .seconds(300)])
      let sleeper = try #require(time.sleepers.first)
      #expect(sleeper.task == "expiry")
      #expect(sleeper.caller.fileID.description == "AmbientVirtualTimeTests/VirtualTimeTests.swift")
      #expect(
        sleeper.description.hasSuffix(
          " in task “expiry” sleeps for 300.0 seconds until 2026-11-27T00:05:00.000Z"))
      try await time.run()
      #expect(time.sleepers.isEmpty)
      #expect(time.sleeps.count == 3)
    }
  }

  @Test func `setting the virtual wall clock doesn't affect sleepers`() async throws {
    try await Time.virtual(from: start) { time in
      let date = time.now + 10
      Time.task {
        try await Time.sleep(until: date)
        timeline.stamp("woke at \(Time.now.iso8601(fractionDigits: 0))")
      }
      try await time.advance(by: .seconds(1))
      time.step(wall: .seconds(-3_600))
      #expect(try Time.now == Date(iso8601: "2026-11-26T23:00:01Z"))
      #expect(Time.uptime == .seconds(1))
      try await time.advance(by: .seconds(9))
      try await time.advance(to: "2026-11-27T00:00:00Z")
      #expect(Time.uptime == .seconds(3_600))
    }
    #expect(timeline.lines == ["10.0 woke at 2026-11-26T23:00:10Z"])
  }

  @Test func `a jump of virtual time wakes overdue sleepers late, in order of their deadlines`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      timeline.sleeper("second", 20)
      timeline.sleeper("first", 10)
      timeline.sleeper("later", 120)
      try await time.jump(by: .seconds(60))
      timeline.stamp("jumped")
      try await time.run()
    }
    #expect(timeline.lines == ["60.0 first", "60.0 second", "60.0 jumped", "120.0 later"])
  }

  @Test func `in virtual time, a sleep until a date ends exactly at that date`() async throws {
    try await Time.virtual(from: "2026-11-27T00:00:00.1Z") { time in
      for text in ["2026-11-27T00:00:00.25Z", "2026-11-27T07:00:00.333Z", "2031-01-01T00:00:00Z"] {
        let date = try Date(iso8601: text)
        try await Time.sleep(until: date)
        #expect(time.now == date)
      }
    }
  }

  @Test func `VirtualTime.current throws outside a virtual time scope`() async throws {
    #expect(throws: VirtualTimeError(.outsideScope)) { try VirtualTime.current }
    try await Time.virtual(from: start) { time in
      #expect(try VirtualTime.current === time)
      try Time.freeze(at: start) { #expect((try? VirtualTime.current) === time) }
      Time.travel(by: .seconds(5)) { #expect((try? VirtualTime.current) === time) }
      try Time.scale(by: 2) { #expect((try? VirtualTime.current) === time) }
      AmbientScope.isolated { #expect((try? VirtualTime.current) == nil) }
    }
    await #expect(throws: ISO8601Error.self) { try await Time.virtual(from: "tomorrow") { _ in } }
  }

  @Test func `in virtual time, sleeps follow Time.scale and Time.travel, and throw in Time.freeze`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      try await Time.scale(by: 60) { try await Time.sleep(for: .seconds(120)) }
      #expect(time.uptime == .seconds(2))
      try await Time.travel(to: "2030-01-01T00:00:00Z") {
        try await Time.sleep(until: Date(iso8601: "2030-01-01T00:00:10Z"))
      }
      #expect(time.uptime == .seconds(12))
      try await Time.freeze(at: start) {
        await #expect(throws: FrozenTimeError.self) { try await Time.sleep(for: .seconds(1)) }
        try await Time.task { try await time.advance(by: .seconds(8)) }.value
      }
      #expect(time.uptime == .seconds(20))
    }
  }

  /// The body of the one, which holds the other, too.
  @Test func `one task can hold the time of two scopes with nested Time.hold calls`() async throws {
    let (times, give) = AsyncStream<VirtualTime>.makeStream()
    let (signals, signal) = AsyncStream<Void>.makeStream()
    async let slept = Time.virtual(from: start) { time in
      await Time.hold {
        give.yield(time)
        for await _ in signals { break }
      }
      try await Time.sleep(for: .seconds(10))
      return time.uptime
    }
    let other = try #require(await times.first { _ in true })
    try await Time.virtual(from: start) { _ in
      await Time.hold {
        await Time.withInstance(other) {
          await Time.hold {
            signal.yield()
            #expect(await Patience.waitIdly { other.sleepers.count == 1 || other.uptime > .zero })
            // Time for a mistake.
            try? await Task.sleep(for: .milliseconds(50))
            #expect(other.uptime == .zero)
          }
        }
      }
    }
    #expect(try await slept == .seconds(10))
  }

  @Test func `an inner virtual time scope runs on its own time`() async throws {
    try await Time.virtual(from: start) { outer in
      timeline.sleeper("outer", 5)
      try await Time.virtual(from: "2030-01-01T00:00:00Z") { inner in
        try await Time.sleep(for: .seconds(1_000))
        timeline.stamp("inner")
        #expect(outer.uptime == .zero)
      }
      #expect(Time.instance === outer)
      try await Time.sleep(for: .seconds(10))
    }
    #expect(timeline.lines == ["1000.0 inner", "5.0 outer"])
  }

  @Test func `the same virtual time seed gives the same random bits in every run`() async throws {
    func bits(_ seed: UInt64) async throws -> [UInt64?] {
      try await Time.virtual(from: start, seed: seed) { _ in
        (0..<10).map { _ in Time.travel(by: .seconds(1)) { Time.instance.seededBits()?.random } }
      }
    }
    let first = try await bits(1)
    #expect(!first.contains(nil))
    #expect(Set(first).count == 10)
    #expect(try await bits(1) == first)
    #expect(try await bits(2) != first)
    #expect(DefaultTime().seededBits() == nil)
  }
}
