// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

@Suite struct `Shared queue service counts` {
  @Test
  func `SharedQueue timesServed counts how often each queue ran work of scopes or ScopeWatch`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      try await Time.virtual(from: start) { _ in
        let before = SharedQueue.timesServed
        // A drainer gives way after a thousand jobs.
        for _ in 0..<20_000 { await Task.yield() }
        precondition(SharedQueue.timesServed.pool >= before.pool + 10)
        for _ in 0..<100 { await MainActor.run {} }
        precondition(SharedQueue.timesServed.mainQueue >= before.mainQueue + 100)
        await Time.hold {
          await Outside.wait {
            let before = SharedQueue.timesServed
            precondition(
              Patience.wait {
                _ = ScopeWatch.look()
                let now = SharedQueue.timesServed
                return now.pool >= before.pool + 5 && now.mainQueue >= before.mainQueue + 5
              })
          }
        }
      }
      let before = SharedQueue.timesServed
      for _ in 0..<100 { try await Self.open() }
      precondition(SharedQueue.timesServed.pool >= before.pool + 100)
      precondition(SharedQueue.timesServed.mainQueue < before.mainQueue + 100)
      for _ in 0..<100 { try await Self.openOnMainActor() }
      precondition(SharedQueue.timesServed.mainQueue >= before.mainQueue + 100)
    }
  }

  @concurrent private static func open() async throws {
    try await Time.virtual(from: start) { @concurrent _ in }
  }

  @MainActor private static func openOnMainActor() async throws {
    try await Time.virtual(from: start) { @concurrent _ in }
  }
}
