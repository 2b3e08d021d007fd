// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

struct `Sleeping` {
  let holiday = Date(timeIntervalSinceReferenceDate: 817_000_000)

  @Test func `Time.sleep lasts the requested duration on the current Time instance`() async throws {
    let hand = HandTime()
    try await Time.withInstance(hand) { try await Time.sleep(for: .seconds(90)) }
    #expect(hand.sleeps == [.seconds(90)])
  }

  @Test func `in real time, a sleep of the maximum length ends when its task is cancelled`()
    async throws
  {
    let system = DefaultTime()
    let times = [
      system, OffsetTime(of: system, by: .seconds(1)), try ScaledTime(of: system, by: 1e-3),
      try ScaledTime(of: system, by: 1e3),
    ]
    for time in times {
      let sleeper = Task { try await time.sleep(for: .seconds(Int64.max)) }
      // So that it sleeps: one that was cancelled before has not to wait.
      for _ in 0..<100 { await Task.yield() }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
  }

  @Test func `a sleep until a date lasts exactly until that date`() async throws {
    let hand = HandTime()
    let date = hand.now + 42.25
    try await Time.withInstance(hand) { try await Time.sleep(until: date) }
    #expect(hand.sleeps == [.seconds(42.25)])
    #expect(hand.now == date)
  }

  @Test(arguments: 0..<200)
  func `a sleep until a random date doesn't end early`(number: Int) async throws {
    let hand = HandTime()
    var random = SystemRandomNumberGenerator()
    hand.pass(.nanoseconds(Int64.random(in: 0..<1_000_000_000, using: &random)))
    let date = hand.now + Double.random(in: 0...100_000, using: &random)
    try await Time.withInstance(hand) { try await Time.sleep(until: date) }
    #expect(hand.now == date, "\(number)")
  }

  @Test func `Time.sleep passes its tolerance and caller to the current Time instance`()
    async throws
  {
    let hand = HandTime()
    let place = SourcePlace(fileID: "Shop/Till.swift", line: 7)
    let (late, date) = (Duration.seconds(6), hand.now + 1_000)
    try await Time.withInstance(hand) {
      for tolerance in [late, nil] {
        try await Time.sleep(
          for: .seconds(1), tolerance: tolerance, fileID: place.fileID, line: place.line)
        try await Time.sleep(
          until: date, tolerance: tolerance, fileID: place.fileID, line: place.line)
        try await Time.travel(by: .seconds(5)) {
          try await Time.sleep(
            for: .seconds(1), tolerance: tolerance, fileID: place.fileID, line: place.line)
        }
        try await Time.clock(fileID: place.fileID, line: place.line)
          .sleep(until: .now, tolerance: tolerance)
        var ticks = Time.timer(
          every: .seconds(1), tolerance: tolerance, fileID: place.fileID, line: place.line
        ).makeAsyncIterator()
        _ = try await ticks.next()
        // A time that runs twice as fast has half as long.
        try await Time.scale(by: 2) {
          try await Time.sleep(
            for: .seconds(1), tolerance: tolerance, fileID: place.fileID, line: place.line)
        }
      }
    }
    let lates: [Duration?] = Array(repeating: late, count: 5) + [.seconds(3)]
    #expect(hand.hands.withLock(\.tolerances) == lates + Array(repeating: nil, count: 6))
    #expect(hand.hands.withLock(\.callers) == Array(repeating: place, count: 12))
  }

  @Test func `in scaled time, a sleep above zero lasts at least a nanosecond of the base time`()
    async throws
  {
    let hand = HandTime()
    for (factor, length) in [(60.0, Duration.zero), (60, .nanoseconds(1)), (1e30, .seconds(9))] {
      try await ScaledTime(of: hand, by: factor).sleep(for: length)
    }
    #expect(hand.sleeps == [.zero, .nanoseconds(1), .nanoseconds(1)])
  }

  @Test func `a type with an injected Time instance sleeps on that instance`() async throws {
    struct Poll: RequiresTime {
      let time: Time

      func wait() async throws {
        try await time.sleep(for: .seconds(3))
        try await time.sleep(until: time.now + 4)
      }
    }
    let hand = HandTime()
    try await Poll(time: hand).wait()
    #expect(hand.sleeps == [.seconds(3), .seconds(4)])
  }

  @Test func `in offset time, a sleep lasts as long as in the base time`() async throws {
    let hand = HandTime()
    try await Time.withInstance(hand) {
      try await Time.travel(to: holiday) {
        try await Time.sleep(for: .seconds(5))
        try await Time.sleep(until: holiday + 20)
        #expect(Time.now == holiday + 20)
      }
    }
    #expect(hand.sleeps == [.seconds(5), .seconds(15)])
  }

  @Test func `in scaled time, the factor divides the length of a sleep, and no sleep ends early`()
    async throws
  {
    let hand = HandTime()
    try await Time.withInstance(hand) {
      for factor in [60, 7, 0.3] {
        try await Time.scale(by: factor) {
          let deadline = Time.uptime + .seconds(120)
          try await Time.sleep(for: .seconds(120))
          #expect(Time.uptime >= deadline)
          #expect(Time.uptime < deadline + .microseconds(1))
        }
      }
    }
    #expect(hand.sleeps.first == .seconds(2))
  }

  @Test func `in frozen time, a sleep throws an error that suggests Time.virtual instead`()
    async throws
  {
    try await Time.freeze(at: holiday) {
      let error = await #expect(throws: FrozenTimeError.self) {
        try await Time.sleep(for: .seconds(5))
      }
      #expect(error?.duration == .seconds(5))
      #expect(error?.date == holiday)
      #expect(error?.description.contains("AmbientTests/SleepTests.swift") == true)
      #expect(error?.description.contains("Time.virtual(from:)") == true)
      try await Time.sleep(for: .zero)
      try await Time.sleep(until: holiday)
      try await Time.sleep(until: holiday - 1)
    }
  }

  @Test
  func `a sleep until a NaN date ends at once, and until an infinite date lasts 1e12 seconds`()
    async throws
  {
    let hand = HandTime()
    try await Time.withInstance(hand) {
      try await Time.sleep(until: Date(timeIntervalSinceReferenceDate: .nan))
      try await Time.sleep(until: .distantFuture)
      try await Time.sleep(until: Date(timeIntervalSinceReferenceDate: .infinity))
    }
    #expect(hand.sleeps.first == .zero)
    #expect(hand.sleeps.last == .seconds(1e12))
  }

  @Test func `in real time, a sleep doesn't end before its deadline`() async throws {
    let time = DefaultTime()
    try await Time.withInstance(time) {
      let deadline = Time.uptime + .milliseconds(2)
      try await Time.sleep(for: .milliseconds(2))
      #expect(Time.uptime >= deadline)
      try await Time.scale(by: 1_000) {
        let deadline = Time.now + 2
        try await Time.sleep(until: deadline)
        #expect(Time.now > deadline - 0.000_001)
      }
    }
  }

  @Test func `in a cancelled task, a sleep throws at once, even if the sleep is already due`() async
  {
    let task = Task {
      try await Time.withInstance(DefaultTime()) { try await Time.sleep(for: .seconds(86_400)) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let fixed = FixedTime(at: holiday)
    let times = [DefaultTime(), fixed, OffsetTime(of: fixed, by: .seconds(5))]
    for time in times {
      for seconds in [-1, 0, 1] {
        let past = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          try await time.sleep(for: .seconds(seconds))
        }
        await #expect(throws: CancellationError.self) { try await past.value }
      }
    }
  }
}
