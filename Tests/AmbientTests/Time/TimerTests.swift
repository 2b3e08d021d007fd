// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

struct `Timers` {
  @Test(arguments: [
    (Time.MissedTicks.burst, [35, 35, 35, 40, 50]), (.delay, [35, 45, 55, 65, 75]),
    (.skip, [35, 40, 50, 60, 70]),
  ])
  func `timer ticks that were missed before the loop started follow the MissedTicks policy`(
    missed: Time.MissedTicks, expected: [Double]
  )
    async throws
  {
    try await Time.virtual(from: start) { time in
      var ticks: [Double] = []
      var iterator = Time.timer(every: .seconds(10), missed: missed).makeAsyncIterator()
      try await Time.sleep(for: .seconds(35))
      for _ in 0..<5 {
        _ = try await iterator.next()
        ticks.append(Time.uptime / .seconds(1))
      }
      #expect(ticks == expected)
    }
  }

  @Test(arguments: [
    // One that fell due just as the loop came back is late by nothing; the one before, by a period.
    (20, Time.MissedTicks.burst, [10.0, 30, 30, 40, 50]), (20, .delay, [10, 30, 40, 50, 60]),
    (20, .skip, [10, 30, 40, 50, 60]),
    // As the documentation says.
    (25, .burst, [10, 35, 35, 40, 50]), (25, .delay, [10, 35, 45, 55, 65]),
    (25, .skip, [10, 35, 40, 50, 60]),
  ])
  func `a timer tick that is late by a period or more follows the MissedTicks policy`(
    pause: Int, missed: Time.MissedTicks, expected: [Double]
  ) async throws {
    try await Time.virtual(from: start) { _ in
      var ticks: [Double] = []
      for try await _ in Time.timer(every: .seconds(10), missed: missed) {
        ticks.append(Time.uptime / .seconds(1))
        if ticks.count == 1 { try await Time.sleep(for: .seconds(pause)) }
        if ticks.count == 5 { break }
      }
      #expect(ticks == expected)
    }
  }

  @Test
  func `a timer first ticks after one period, and a slow loop body doesn't delay later ticks`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      var ticks: [Date] = []
      for try await date in Time.timer(every: .seconds(60)) {
        ticks.append(date)
        try await Time.sleep(for: .seconds(59))
        if ticks.count == 3 { break }
      }
      let first = try Date(iso8601: "2026-11-27T00:01:00Z")
      #expect(ticks == [first, first + 60, first + 120])
    }
  }

  @Test func `after a jump of virtual time, a late timer tick follows the MissedTicks policy`()
    async throws
  {
    for (jump, missed, expected) in [
      (35, Time.MissedTicks.skip, 40.0), (35, .delay, 45), (35, .burst, 35),
      // By one whole period.
      (20, .skip, 30), (20, .delay, 30), (20, .burst, 20),
    ] {
      try await Time.virtual(from: start) { time in
        let ticks = Timeline()
        let timer = Time.task {
          for try await _ in Time.timer(every: .seconds(10), missed: missed) { ticks.stamp("") }
        }
        try await time.jump(by: .seconds(jump))
        try await time.advance(by: .seconds(20))
        timer.cancel()
        _ = await timer.result
        #expect(ticks.lines.prefix(2) == ["\(jump).0 ", "\(expected) "])
      }
    }
  }

  @Test func `a timer with a period of zero ticks at once until its task is cancelled`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      let task = Time.task {
        var count = 0
        for try await _ in Time.timer(every: .zero) {
          count += 1
          if count == 1_000 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(time.uptime == .zero)
    }
  }

  @Test(.withoutSanitizer)
  func `a timer with a period of zero finally throws tooManyTicks, and virtual time continues`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      let ticks = Timeline()
      for period in [Duration.zero, .seconds(-1)] {
        let timer = Time.task {
          for try await _ in Time.timer(every: period) {}
        }
        let other = Time.task { ticks.stamp("other") }
        try await time.advance(by: .seconds(1))
        let error = await #expect(throws: VirtualTimeError.self) { try await timer.value }
        #expect(error?.code == .tooManyTicks)
        #expect(error?.description.contains("AmbientTests/TimerTests.swift:") == true)
        await other.value
      }
      #expect(ticks.lines == ["0.0 other", "1.0 other"])
    }
  }

  @Test(.withoutSanitizer)
  func `a timer with a period of zero can tick 100,000 times at an instant of virtual time`()
    async throws
  {
    try await Time.virtual(from: start) { _ in
      var iterator = Time.timer(every: .zero).makeAsyncIterator()
      _ = try await iterator.next()
      try await Time.sleep(for: .seconds(1))
      var count = 0
      var last: VirtualTimeError?
      do {
        // One more than there may be.
        while count <= 100_000 {
          _ = try await iterator.next()
          count += 1
        }
      } catch let error as VirtualTimeError {
        last = error
      }
      #expect(count == 100_000)
      #expect(last?.code == .tooManyTicks)
    }
  }

  @Test func `timer jitter delays ticks randomly, but by the same amounts for the same seed`()
    async throws
  {
    func delays(seed: UInt64) async throws -> [Duration] {
      try await Time.virtual(from: start, seed: seed) { _ in
        var delays: [Duration] = []
        for try await _ in Time.timer(every: .seconds(10), jitter: .seconds(4)) {
          delays.append(Time.uptime - .seconds(10 * (delays.count + 1)))
          if delays.count == 200 { break }
        }
        return delays
      }
    }
    let first = try await delays(seed: 1)
    #expect(first.allSatisfy { $0 >= .zero && $0 < .seconds(4) })
    #expect(first.contains { $0 < .seconds(1) } && first.contains { $0 > .seconds(3) })
    #expect(try await delays(seed: 1) == first)
    #expect(try await delays(seed: 2) != first)
  }

  @Test(arguments: Time.MissedTicks.allCases)
  func `if the loop body takes less than a period, timer jitter doesn't delay later ticks`(
    missed: Time.MissedTicks
  ) async throws {
    let ticks = try await Time.virtual(from: start, seed: 1) { _ in
      var ticks: [Duration] = []
      for try await _ in Time.timer(every: .seconds(10), missed: missed, jitter: .seconds(4)) {
        ticks.append(Time.uptime)
        if ticks.count == 200 { break }
        try await Time.sleep(for: .seconds(7))
      }
      return ticks
    }
    let delays = ticks.enumerated().map { $1 - .seconds(10 * ($0 + 1)) }
    #expect(delays.allSatisfy { $0 >= .zero && $0 < .seconds(4) })
    #expect(delays.contains { $0 > .seconds(3) }, "else no loop was late")
  }

  @Test func `in frozen time, a timer throws FrozenTimeError`() async throws {
    await #expect(throws: FrozenTimeError.self) {
      try await Time.freeze(at: start) {
        for try await _ in Time.timer(every: .seconds(1)) {}
      }
    }
  }
}
