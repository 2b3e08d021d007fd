// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

/// Instants and durations at the ends of their types.
struct `Extreme durations and dates` {
  private static let longest = Duration.seconds(Int64.max)
  /// More than two of it make the longest duration that there is.
  private static let count = 40

  @Test func `after many sleeps of the maximum length, virtual time stays at the maximum uptime`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { try await Time.sleep(for: Self.longest) }
      #expect(time.uptime == Duration(attoseconds: .max))
    }
  }

  @Test func `advances and jumps of virtual time stop at the maximum uptime`() async throws {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { try await time.advance(by: Self.longest) }
      for _ in 0..<Self.count { try await time.jump(by: Self.longest) }
      #expect(time.uptime == Duration(attoseconds: .max))
    }
  }

  @Test(arguments: [1, -1])
  func `after extreme steps of the wall clock, the date in virtual time is still finite`(sign: Int)
    async throws
  {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { time.step(wall: Self.longest * sign) }
      // No date is later than some year 30,000, but each is one.
      let isLater = try time.now > Date(iso8601: start)
      #expect(isLater == (sign > 0))
      #expect(time.now.timeIntervalSinceReferenceDate.isFinite)
    }
  }

  @Test(arguments: Time.MissedTicks.allCases)
  func `a timer with the maximum period ticks even at the maximum uptime`(missed: Time.MissedTicks)
    async throws
  {
    try await Time.virtual(from: start) { time in
      var ticks = 0
      for try await _ in Time.timer(every: Self.longest, missed: missed, jitter: Self.longest) {
        ticks += 1
        if ticks == Self.count { break }
      }
      #expect(time.uptime == Duration(attoseconds: .max))
    }
  }

  @Test func `the uptime of nested OffsetTimes stops at the maximum and can still be scaled`()
    throws
  {
    var time: Time = DefaultTime()
    for _ in 0..<Self.count { time = OffsetTime(of: time, by: Self.longest) }
    #expect(time.uptime == Duration(attoseconds: .max))
    #expect(time.now > Date.distantFuture)
    #expect(try ScaledTime(of: time, by: 1e300).uptime > .zero)
  }

  /// Lengths of either sign.
  private static let lengths = [
    .seconds(Int64.min), .nanoseconds(-1), .zero, .nanoseconds(1), longest,
  ]

  @Test(arguments: [1e-300, 1e-30, 0.001, 1e30, 1e300], lengths)
  func `in ScaledTime of any factor, a sleep of any length and tolerance returns`(
    factor: Double, length: Duration
  ) async throws {
    try await Time.virtual(from: start) { _ in
      for tolerance in Self.lengths {
        let scaled = try ScaledTime(of: Time.instance, by: factor)
        let uptime = scaled.uptime
        try await scaled.sleep(for: length, tolerance: tolerance)
        #expect(length <= .zero || factor < 1 ? scaled.uptime >= uptime : scaled.uptime > uptime)
      }
    }
    if length > .zero { return }
    try await ScaledTime(of: DefaultTime(), by: factor).sleep(for: length, tolerance: length)
  }

  @Test func `at the maximum uptime, timeouts still work and a TimeClock instant can't advance`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { try await time.advance(by: Self.longest) }
      #expect(try await Time.timeout(after: Self.longest) { 42 } == 42)
      #expect(Time.clock().now.advanced(by: Self.longest) == Time.clock().now)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `starting or advancing virtual time throws an error for a NaN or infinite date`(
    interval: Double
  ) async throws {
    let date = Date(timeIntervalSinceReferenceDate: interval)
    await #expect(throws: VirtualTimeError(.noInstant)) {
      try await Time.virtual(from: date) { _ in }
    }
    try await Time.virtual(from: start) { time in
      await #expect(throws: VirtualTimeError(.noInstant)) { try await time.advance(to: date) }
      // One that never comes, as an hour that has passed, is no mistake to sleep until.
      if interval > 0 { return }
      try await Time.sleep(until: date)
      #expect(time.uptime == .zero)
    }
  }
}
