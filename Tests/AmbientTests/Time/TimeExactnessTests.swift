// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import Testing

/// Every millisecond of a second after midnight, as text and as the date that is read from it.
@Suite struct `Millisecond exactness` {
  private static let start = "2026-11-27T00:00:00Z"

  private func date(_ millisecond: Int) throws -> Date {
    try Date(iso8601: "2026-11-27T00:00:00.\(String(String(1_000 + millisecond).suffix(3)))Z")
  }

  @Test func `after virtual time is advanced to a date, Time.now is exactly that date`()
    async throws
  {
    try await Time.virtual(from: Self.start) { time in
      for millisecond in 0..<1_000 {
        let date = try date(millisecond)
        try await time.advance(to: date)
        #expect(Time.now == date)
        #expect(Time.uptime == .milliseconds(millisecond))
        #expect(Time.now.iso8601().hasSuffix("\(String(1_000 + millisecond).suffix(3))Z"))
      }
    }
  }

  @Test func `after an advance of virtual time by a millisecond, Time.now is the next millisecond`()
    async throws
  {
    try await Time.virtual(from: Self.start) { time in
      for millisecond in 1..<1_000 {
        try await time.advance(by: .milliseconds(1))
        #expect(try Time.now == date(millisecond))
      }
    }
  }

  @Test func `when virtual time is advanced to a date, a sleep until that date ends`()
    async throws
  {
    for millisecond in 1..<1_000 {
      try await Time.virtual(from: Self.start) { time in
        let date = try date(millisecond)
        let sleeper = Time.task {
          try await Time.sleep(until: date)
          return Time.now
        }
        try await time.advance(to: date)
        #expect(time.sleepers.isEmpty)
        #expect(try await sleeper.value == date)
      }
    }
  }

  @Test
  func `in frozen time, sleeping until now returns, and until a millisecond later throws`()
    async throws
  {
    for millisecond in 0..<999 {
      let (date, next) = (try date(millisecond), try date(millisecond + 1))
      try await Time.freeze(at: date) {
        #expect(Time.now == date)
        try await Time.sleep(until: date)
        let error = await #expect(throws: FrozenTimeError.self) {
          try await Time.sleep(until: next)
        }
        #expect(error?.duration == .milliseconds(1))
      }
    }
  }

  @Test func `after time travel, Time.now is exactly the target millisecond`() async throws {
    for millisecond in 0..<1_000 {
      let date = try date(millisecond)
      try Time.freeze(at: "2001-05-17T12:34:56.789Z") {
        Time.travel(to: date) { #expect(Time.now == date) }
      }
      try Time.freeze(at: Self.start) {
        Time.travel(by: .milliseconds(millisecond)) { #expect(Time.now == date) }
      }
    }
  }

  @Test(arguments: [2.0, 0.5, 10, 1.25])
  func `in scaled time, Time.now is exact at each whole millisecond`(factor: Double) async throws {
    try await Time.virtual(from: Self.start) { time in
      try await Time.scale(by: factor) {
        for step in 1..<200 {
          try await time.advance(by: .milliseconds(4))
          let shown = Double(step * 4) * factor
          guard shown < 1_000, shown.rounded() == shown else { continue }
          #expect(try Time.now == date(Int(shown)))
        }
      }
    }
  }

  @Test func `in scaled time, a sleep until a date ends within a microsecond after that date`()
    async throws
  {
    for millisecond in stride(from: 1, to: 1_000, by: 7) {
      try await Time.virtual(from: Self.start) { _ in
        try await Time.scale(by: 60) {
          let date = try date(millisecond)
          try await Time.sleep(until: date)
          #expect(Time.now >= date)
          // Rounded up to a nanosecond on the clock below, of which sixty pass here.
          #expect(Time.now.timeIntervalSince(date) < 1e-6)
        }
      }
    }
  }
}
