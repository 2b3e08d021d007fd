// SPDX-License-Identifier: Apache-2.0

import Ambient
import TestSupport
import Testing

@testable import AmbientVirtualTime

struct `Time advanced by hand` {
  let timeline = Timeline()

  @Test func `if virtual time advances by hand, time passes only in explicit calls to advance it`()
    async throws
  {
    try await Time.virtual(from: start, advances: .byHand) { time in
      timeline.sleeper("a", 1)
      timeline.sleeper("b", 2)
      for _ in 0..<100 { await Task.yield() }
      #expect(time.uptime == .zero)
      try await time.advance(by: .seconds(1))
      #expect(timeline.lines == ["1.0 a"])
      try await time.run()
    }
    #expect(timeline.lines == ["1.0 a", "2.0 b"])
  }

  @Test func `if virtual time advances by hand, a deadlock error names the sleeper left waiting`()
    async throws
  {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await Time.virtual(from: start, advances: .byHand) { _ in
        try await Time.sleep(for: .seconds(5))
      }
    }
    let waiting = try #require(error?.deadlocked, "\(error as Any)")
    #expect(waiting.count == 2)
    #expect(waiting[0].contains(ScopeSnapshot.advance), "\(waiting)")
    #expect(waiting[1].contains("ByHandTests.swift"), "\(waiting)")
    #expect(waiting[1].contains("sleeps for 5.0 seconds until 2026-11-27T00:00:05.000Z"))
  }
}
