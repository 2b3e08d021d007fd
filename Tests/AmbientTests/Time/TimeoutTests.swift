// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Foundation
import TestSupport
import Testing

struct `Timeouts` {
  let timeline = Timeline()

  @Test func `a timeout that expires throws TimeoutError and cancels its body`() async throws {
    try await Time.virtual(from: start) { time in
      let error = await #expect(throws: Time.TimeoutError.self) {
        try await Time.timeout(after: .seconds(5)) {
          do {
            try await Time.sleep(for: .seconds(60))
          } catch {
            timeline.stamp("\(error is CancellationError)")
            throw error
          }
        }
      }
      #expect(error?.duration == .seconds(5))
      #expect(error?.caller.fileID == "AmbientTests/TimeoutTests.swift")
      #expect(time.sleepers.isEmpty)
    }
    #expect(timeline.lines == ["5.0 true"])
  }

  @Test func `a timeout doesn't expire if its body takes exactly the limit`()
    async throws
  {
    try await Time.virtual(from: start) { _ in
      let parts = try await Time.timeout(after: .seconds(5)) {
        try await Time.sleep(for: .seconds(2))
        try await Time.sleep(for: .seconds(3))
        return Time.uptime
      }
      #expect(parts == .seconds(5))
      let held = try await Time.timeout(after: .seconds(5)) {
        try await Time.hold { @MainActor () async throws in try await Time.sleep(for: .seconds(5)) }
        return Time.uptime
      }
      #expect(held == .seconds(10))
      try await Time.scale(by: 50) {
        try await Time.timeout(after: .seconds(60)) {
          for _ in 0..<60 { try await Time.sleep(for: .seconds(1)) }
        }
      }
      try await Time.travel(by: .seconds(-60)) {
        try await Time.timeout(after: .seconds(5)) {
          for _ in 0..<5 { try await Time.sleep(for: .seconds(1)) }
        }
        await #expect(throws: Time.TimeoutError.self) {
          try await Time.timeout(after: .seconds(5)) { try await Time.sleep(for: .seconds(6)) }
        }
      }
      await #expect(throws: Time.TimeoutError.self) {
        try await Time.timeout(after: .seconds(5)) {
          try await Time.sleep(for: .seconds(5) + .nanoseconds(1))
        }
      }
    }
  }

  @Test func `inside Time.hold, a timeout lets virtual time pass only while its body sleeps`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      timeline.sleeper("sleeper", 1)
      await #expect(throws: Time.TimeoutError.self) {
        try await Time.hold {
          try await Time.timeout(after: .seconds(5)) {
            await Task.detached { for _ in 0..<50 { await Task.yield() } }.value
            timeline.stamp("held")
            try await Time.sleep(for: .seconds(10))
          }
        }
      }
      timeline.stamp("timed out")
      try await Time.hold {
        try await Time.timeout(after: .seconds(5)) { try await Time.sleep(for: .seconds(2)) }
        await Task.detached { for _ in 0..<50 { await Task.yield() } }.value
        timeline.stamp("held again")
      }
      try await time.advance(by: .seconds(1))
    }
    #expect(timeline.lines == ["0.0 held", "1.0 sleeper", "5.0 timed out", "7.0 held again"])
  }

  @Test func `a timeout returns the value of its body if the body ends within the limit`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      for seconds in [0, 3, 5] {
        let value = try await Time.timeout(after: .seconds(5)) {
          try await Time.sleep(for: .seconds(seconds))
          return seconds
        }
        #expect(value == seconds)
      }
      #expect(time.uptime == .seconds(8))
      #expect(time.sleepers.isEmpty)
    }
  }

  @Test func `a timeout rethrows its body's error, and throws if the calling task is cancelled`()
    async throws
  {
    try await Time.virtual(from: start) { _ in
      await #expect(throws: Trouble.here) {
        try await Time.timeout(after: .seconds(5)) { throw Trouble.here }
      }
      let task = Time.task {
        try await Time.timeout(after: .seconds(5)) { try await Time.sleep(for: .seconds(1)) }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `in frozen time, a timeout returns its body's value`() async throws {
    let value = try await Time.freeze(at: start) {
      try await Time.timeout(after: .seconds(1)) { 42 }
    }
    #expect(value == 42)
  }
}
