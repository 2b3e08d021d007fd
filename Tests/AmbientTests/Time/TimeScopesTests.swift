// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

struct `Freeze, travel and scale` {
  let holiday = Date(timeIntervalSinceReferenceDate: 817_000_000)

  @Test func `in frozen time, the date and the uptime stay the same`() {
    Time.freeze(at: holiday) {
      let uptime = Time.uptime
      for _ in 0..<1_000 {
        #expect(Time.now == holiday)
        #expect(Time.uptime == uptime)
      }
    }
  }

  @Test(arguments: [.infinity, -.infinity, .nan, 1e300, -1e300])
  func `freezing at or traveling to an extreme date doesn't crash`(interval: Double) {
    let date = Date(timeIntervalSinceReferenceDate: interval)
    let reference = Date(timeIntervalSinceReferenceDate: 0)
    Time.freeze(at: date) {
      #expect(Time.now == date || interval.isNaN)
      // Not a number counts as the reference date.
      #expect(!interval.isNaN || Time.uptime == Time.freeze(at: reference) { Time.uptime })
    }
    Time.travel(to: date) { #expect(Time.now.iso8601().count == 24) }
  }

  @Test func `if two frozen dates differ by 90 seconds, the uptimes also differ by 90 seconds`() {
    let first = Time.freeze(at: holiday) { Time.uptime }
    let second = Time.freeze(at: holiday + 90) { Time.uptime }
    #expect(second - first == .seconds(90))
  }

  @Test func `Time.freeze and Time.travel parse ISO 8601 text and throw if the text is invalid`()
    throws
  {
    let expected = try Date(iso8601: "2026-11-27T05:00:00Z")
    try Time.freeze(at: "2026-11-27T00:00:00-05:00") { #expect(Time.now == expected) }
    #expect(throws: ISO8601Error.self) { try Time.freeze(at: "tomorrow") {} }
    #expect(throws: ISO8601Error.self) { try Time.travel(to: "tomorrow") {} }
  }

  @Test func `after time travel to a date, time runs on from that date`() {
    let hand = HandTime()
    Time.withInstance(hand) {
      Time.travel(to: holiday) {
        #expect(Time.now == holiday)
        hand.pass(.seconds(30))
        #expect(Time.now == holiday + 30)
      }
    }
  }

  @Test
  func `time travel by a positive or negative duration moves date and uptime by the duration`() {
    let hand = HandTime()
    Time.withInstance(hand) {
      for offset in [Duration.seconds(3_600), .seconds(-3_600)] {
        Time.travel(by: offset) {
          #expect(Time.now == hand.now + offset / .seconds(1))
          #expect(Time.uptime == hand.uptime + offset)
          hand.pass(.seconds(5))
          #expect(Time.now == hand.now + offset / .seconds(1))
        }
      }
    }
  }

  @Test func `scaled time runs faster or slower than its base time`() throws {
    let hand = HandTime()
    try Time.withInstance(hand) {
      for factor in [60, 0.5] {
        try Time.scale(by: factor) {
          let (now, uptime) = (Time.now, Time.uptime)
          #expect(now == hand.now)
          #expect(uptime == hand.uptime)
          hand.pass(.seconds(10))
          #expect(Time.now == now + 10 * factor)
          #expect(Time.uptime == uptime + .seconds(10 * factor))
        }
      }
    }
  }

  @Test func `if the wall clock is set, the date in scaled time changes and the uptime doesn't`()
    throws
  {
    let hand = HandTime()
    let scaled = try ScaledTime(of: hand, by: 60)
    let (now, uptime) = (scaled.now, scaled.uptime)
    hand.setWall(by: .seconds(-7))
    #expect(scaled.now == now - 7)
    #expect(scaled.uptime == uptime)
  }

  @Test(arguments: [0, -1, .infinity, .nan])
  func `scaling time by an invalid factor throws an error`(factor: Double) {
    let error = #expect(throws: SettingError.self) { try Time.scale(by: factor) {} }
    #expect(error?.code == .factor && error?.text == "\(factor)")
    #expect(error?.description.contains("above 0") == true)
  }

  @Test func `nested freeze and travel blocks restore the outer time and rethrow typed errors`()
    async
  {
    let hand = HandTime()
    await Time.withInstance(hand) {
      func fail() throws(Trouble) { throw .here }
      do throws(Trouble) {
        try Time.freeze(at: holiday) { () throws(Trouble) in
          #expect(Time.now == holiday)
          do throws(Trouble) {
            try Time.travel(by: .seconds(60)) { () throws(Trouble) in
              #expect(Time.now == holiday + 60)
              try fail()
            }
          } catch {
            #expect(error == .here)
          }
          #expect(Time.now == holiday)
          try fail()
        }
        Issue.record("nothing was thrown")
      } catch {
        #expect(error == .here)
      }
      #expect(Time.instance === hand)
      do throws(Trouble) {
        try await Time.travel(to: holiday) { () async throws(Trouble) in
          await Task.yield()
          #expect(Time.now == holiday)
          try fail()
        }
        Issue.record("nothing was thrown")
      } catch {
        #expect(error == .here)
      }
      #expect(Time.instance === hand)
    }
  }

  @Test func `in an asynchronous freeze, time stays frozen after suspensions and in child tasks`()
    async
  {
    await Time.freeze(at: holiday) {
      await withTaskGroup(of: Date.self) { group in
        for _ in 0..<8 {
          group.addTask {
            await Task.yield()
            return Time.now
          }
        }
        for await date in group { #expect(date == holiday) }
      }
    }
  }
}
