// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import Testing

/// A time whose clocks move apart at each reading.
private final class DriftingTime: Time, @unchecked Sendable {
  private let readings = Guarded(0)

  override var uptime: Duration {
    .seconds(
      readings.withLock { readings in
        readings += 1
        return readings
      })
  }
}

@Suite struct `Uptime in a frozen block` {
  private let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test(.isolatedAmbients)
  func `a one-hour lease measured by uptime expires if time is frozen two hours later`() {
    let lease = Time.uptime + .seconds(3_600)
    Time.freeze(at: Time.now) { #expect(Time.uptime < lease) }
    Time.freeze(at: Time.now + 7_200) { #expect(Time.uptime > lease) }
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"))
  func `freezing virtual time at another date moves the uptime by as much as the date`()
    async throws
  {
    try await Time.sleep(for: .seconds(5))
    Time.freeze(at: Time.now + 3_600) { #expect(Time.uptime == .seconds(3_605)) }
    Time.freeze(at: Time.now - 60) { #expect(Time.uptime == .seconds(-55)) }
    Time.travel(by: .seconds(100)) {
      Time.freeze(at: Time.now + 1) { #expect(Time.uptime == .seconds(106)) }
    }
  }

  @Test func `freezing frozen time at another date moves the uptime by as much as the date`() {
    Time.withInstance(FixedTime(at: date, uptime: .seconds(7))) {
      Time.freeze(at: date + 3) { #expect(Time.uptime == .seconds(10)) }
    }
  }

  @Test func `in frozen time, concurrent tasks read the same uptime`() async {
    await Time.withInstance(DriftingTime()) {
      await Time.freeze(at: date) {
        let readings = await withTaskGroup(of: Duration.self) { group in
          for _ in 0..<8 { group.addTask { Time.uptime } }
          return await group.reduce(into: Set<Duration>()) { $0.insert($1) }
        }
        #expect(readings.count == 1)
      }
    }
  }

  @Test(.isolatedAmbients)
  func `the uptimes of two frozen blocks differ by exactly as many seconds as their dates`() {
    for seconds in 1...10_000 {
      let first = Time.freeze(at: date) { Time.uptime }
      let second = Time.freeze(at: date + Double(seconds)) { Time.uptime }
      #expect(second - first == .seconds(seconds))
    }
  }

  @Test(.time(.failing))
  func `Time.freeze doesn't call the enclosing Time instance until uptime is read`() {
    Time.freeze(at: date) { #expect(Time.now == date) }
  }

  @Test func `a FixedTime derives its uptime from its date unless an uptime is given`() {
    let time = FixedTime(at: date)
    #expect(time.uptime == .seconds(800_000_000))
    #expect(FixedTime(at: date, uptime: .seconds(1)).uptime == .seconds(1))
  }
}

@Suite struct `Advancing FixedTime` {
  private let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test func `advancing a FixedTime moves its date, uptime and measurements`() {
    let time = FixedTime(at: date)
    Time.withInstance(time) {
      let taken = Time.measure { time.advance(by: .seconds(2)) }
      #expect(taken == .seconds(2))
      #expect(Time.now == date + 2)
      #expect(Time.uptime == .seconds(800_000_002))
    }
  }

  @Test func `a timeout on a FixedTime doesn't expire, even if the FixedTime is advanced`()
    async throws
  {
    let time = FixedTime(at: date)
    let result = try await Time.withInstance(time) {
      try await Time.timeout(after: .seconds(5)) {
        time.advance(by: .seconds(10))
        await Task.yield()
        return 7
      }
    }
    #expect(result == 7)
  }

  @Test func `a negative advance of a FixedTime does nothing, and its uptime stops at 292 years`() {
    let time = FixedTime(at: date, uptime: .zero)
    time.advance(by: .seconds(-1))
    #expect(time.uptime == .zero && time.now == date)
    time.advance(by: .seconds(Int64.max))
    time.advance(by: .seconds(Int64.max))
    #expect(time.uptime == .nanoseconds(Int64.max))
  }

  @Test func `concurrent advances of a FixedTime add up`() {
    let time = FixedTime(at: date, uptime: .zero)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1_000 { time.advance(by: .nanoseconds(1)) }
    }
    #expect(time.uptime == .nanoseconds(8_000))
    #expect(time.now == date.addingTimeInterval(8_000e-9))
  }

  @Test func `standsStill is true for FixedTime, and for OffsetTime and ScaledTime over FixedTime`()
    throws
  {
    let time = FixedTime(at: date)
    #expect(time.standsStill)
    #expect(OffsetTime(of: time, by: .seconds(1)).standsStill)
    #expect(try ScaledTime(of: time, by: 2).standsStill)
    #expect(!DefaultTime().standsStill)
    #expect(!OffsetTime(of: DefaultTime(), by: .seconds(1)).standsStill)
  }
}
