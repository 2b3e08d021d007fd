// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

@Suite struct `Scope clocks` {
  private let start = Date(timeIntervalSinceReferenceDate: 100)
  private var clock = ScopeClock(origin: Date(timeIntervalSinceReferenceDate: 100))

  @Test mutating func `ScopeClock ignores an instant that isn't later than the current one`() {
    let hasPassed = [5, 5, 4, 6].map { clock.pass(to: .seconds($0)) }
    #expect(hasPassed == [true, false, false, true])
    #expect(clock.now == .seconds(6))
    #expect(clock.wall == .seconds(106))
    #expect(clock.wall(at: .seconds(7)) == start + 7)
    #expect(clock.uptime(at: start + 8) == .seconds(8))
  }

  @Test
  mutating func
    `setting a scope's wall clock twice adds both steps and leaves the uptime unchanged`()
  {
    clock.stepWall(by: .seconds(30))
    clock.stepWall(by: .seconds(-10))
    #expect(clock.now == .zero)
    #expect(clock.wall == .seconds(120))
    #expect(clock.wall(at: .seconds(1)) == start + 21)
    #expect(clock.uptime(at: start + 21) == .seconds(1))
  }

  @Test
  mutating func `a ScopeClock can continue in real time from its last virtual reading`() {
    let hasPassed = clock.pass(to: .seconds(1_000))
    let before = SystemClock.monotonic()
    clock.runOn()
    clock.runOn()
    let (now, after) = (clock.now, SystemClock.monotonic())
    #expect(hasPassed)
    #expect(now >= .seconds(1_000) && now <= .seconds(1_000) + (after - before))
  }
}
