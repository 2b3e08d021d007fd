// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

/// For how much real time a scope of virtual time may stand still.
struct `Scope limits` {
  let journal = Timeline()

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `a virtual time limit of zero or less throws before the scope's body runs`(limit: Duration)
    async throws
  {
    await #expect(throws: VirtualTimeError(.noLimit)) {
      try await Time.virtual(from: start, limit: limit) { _ in journal.note("ran") }
    }
    let test = try #require(Test.current)
    await #expect(throws: VirtualTimeError(.noLimit)) {
      try await AmbientTrait.virtualTime(from: start, limit: limit).provideScope(
        for: test, testCase: Test.Case.current
      ) { journal.note("ran") }
    }
    #expect(journal.lines.isEmpty)
  }

  @Test func `the limit of a virtual time scope defaults to 10 seconds and its patience to 200 ms`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      #expect(time.scheduler.withState { $0.limits.limit } == .seconds(10))
    }
    try await AmbientTrait.virtualTime(from: start).provideScope(
      for: #require(Test.current), testCase: Test.Case.current
    ) {
      let time = try VirtualTime.current
      #expect(time.scheduler.withState { $0.limits.limit } == .seconds(10))
      #expect(time.scheduler.withState { $0.limits.patience } == .milliseconds(200))
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `Time.virtual throws before its body runs if patience is zero or less`(
    patience: Duration
  ) async throws {
    await #expect(throws: VirtualTimeError(.noLimit)) {
      try await Time.virtual(from: start, patience: patience) { _ in journal.note("ran") }
    }
    #expect(journal.lines.isEmpty)
  }

  @Test(arguments: [Duration.seconds(10), .milliseconds(800)])
  func `a virtual time scope with a long patience waits for work outside the scope`(limit: Duration)
    async throws
  {
    // Collected: on a busy machine the scope may report that it waits.
    let answer = try await Diagnostics.withInstance(.calling { _ in }) {
      try await Time.virtual(from: start, limit: limit, patience: .seconds(300)) { _ in
        await Outside.wait {
          usleep(2_000_000)
          return 42
        }
      }
    }
    #expect(answer == 42)
  }

  @Test func `a very long virtual time limit is accepted`() async throws {
    try await Time.virtual(from: start, limit: .seconds(1.7e20)) { _ in
      try await Time.sleep(for: .seconds(86_400))
      journal.stamp("woke")
    }
    #expect(journal.lines == ["86400.0 woke"])
  }
}
