// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

/// Instants and durations at the ends of their types.
struct `Where its types end, time` {
  private static let longest = Duration.seconds(Int64.max)
  /// More than two of it make the longest duration that there is.
  private static let count = 40

  @Test func `sleeps for as long as a duration can be`() async throws {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { try await Time.sleep(for: Self.longest) }
      #expect(time.uptime == Duration(attoseconds: .max))
    }
  }

  @Test func `advances and jumps no further than a duration reaches`() async throws {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { try await time.advance(by: Self.longest) }
      for _ in 0..<Self.count { try await time.jump(by: Self.longest) }
      #expect(time.uptime == Duration(attoseconds: .max))
    }
  }

  @Test(arguments: [1, -1])
  func `steps its wall no further, in either direction`(sign: Int) async throws {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { time.step(wall: Self.longest * sign) }
      // No date is later than some year 30,000, but each is one.
      let isLater = try time.now > Date(iso8601: start)
      #expect(isLater == (sign > 0))
      #expect(time.now.timeIntervalSinceReferenceDate.isFinite)
    }
  }

  @Test(arguments: Time.MissedTicks.allCases)
  func `ticks as often as there is time`(missed: Time.MissedTicks) async throws {
    try await Time.virtual(from: start) { time in
      var ticks = 0
      for try await _ in Time.timer(every: Self.longest, missed: missed, jitter: Self.longest) {
        ticks += 1
        if ticks == Self.count { break }
      }
      #expect(time.uptime == Duration(attoseconds: .max))
    }
  }

  @Test func `is moved and scaled no further`() throws {
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
  func `is slept in at any scale`(factor: Double, length: Duration) async throws {
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

  @Test func `gives a timeout and a clock as long as there is`() async throws {
    try await Time.virtual(from: start) { time in
      for _ in 0..<Self.count { try await time.advance(by: Self.longest) }
      #expect(try await Time.timeout(after: Self.longest) { 42 } == 42)
      #expect(Time.clock().now.advanced(by: Self.longest) == Time.clock().now)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `begins at no date that is none, nor advances to one`(interval: Double) async throws {
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
