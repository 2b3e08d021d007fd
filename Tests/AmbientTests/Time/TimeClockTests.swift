// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

struct `Time's clock` {
  /// As libraries write it: for any clock, and without knowing of Ambient.
  struct Debounce<C: Clock>: Sendable where C.Duration == Duration {
    let clock: C

    func callAsFunction(_ quiet: Duration, _ body: @Sendable () -> Void) async throws {
      try await Task.sleep(until: clock.now.advanced(by: quiet), clock: clock)
      body()
    }
  }

  @Test func `code that takes any Clock follows virtual time if it is given Time.clock()`()
    async throws
  {
    let debounce = Debounce(clock: Time.clock())
    let timeline = Timeline()
    try await Time.virtual(from: start) { time in
      let task = Time.task { try await debounce(.seconds(300)) { timeline.stamp("called") } }
      try await time.advance(by: .seconds(299))
      #expect(timeline.lines.isEmpty)
      #expect(time.sleepers.first?.caller.fileID == "AmbientTests/TimeClockTests.swift")
      try await time.advance(by: .seconds(1))
      try await task.value
      try await Task.sleep(for: .seconds(100), clock: Time.clock())
      let elapsed = try await Time.clock().measure { try await Time.sleep(for: .seconds(7)) }
      #expect(elapsed == .seconds(7))
    }
    #expect(timeline.lines == ["300.0 called"])
  }

  @Test func `the reported caller of a sleep on a TimeClock is the place that created the clock`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      for clock in [Time.clock(), Time.clock(fileID: "Shop/Search.swift", line: 7)] {
        let task = Time.task { try await clock.sleep(for: .seconds(1)) }
        try await time.advance(by: .zero)
        let place = try #require(time.sleepers.first?.caller)
        #expect(
          ["AmbientTests/TimeClockTests.swift", "Shop/Search.swift"].contains(place.fileID))
        try await task.value
      }
    }
  }

  @Test func `a TimeClock that outlives its virtual time scope follows the current Time instance`()
    async throws
  {
    let clock = try await Time.virtual(from: start) { _ in
      let clock = Time.clock()
      try await clock.sleep(for: .seconds(60))
      return clock
    }
    try await Time.withInstance(HandTime()) {
      #expect(clock.now.uptime == Time.uptime)
      try await clock.sleep(for: .seconds(60))
    }
  }

  @Test func `TimeClock instants are ordered and follow the current uptime`() {
    let early = TimeClock.Instant(uptime: .seconds(1))
    let late = early.advanced(by: .seconds(2))
    #expect(early < late && !(late < early) && !(early < early))
    #expect(early.duration(to: late) == .seconds(2))
    #expect(Time.clock().minimumResolution == .nanoseconds(1))
    let hand = HandTime()
    Time.withInstance(hand) { #expect(Time.clock().now.uptime == hand.uptime) }
  }

  @Test func `in real time, a sleep on a TimeClock doesn't end early`() async throws {
    try await Time.withInstance(DefaultTime()) {
      let deadline = Time.clock().now.advanced(by: .milliseconds(1))
      try await Task.sleep(until: deadline, clock: Time.clock())
      #expect(Time.clock().now >= deadline)
    }
  }
}
