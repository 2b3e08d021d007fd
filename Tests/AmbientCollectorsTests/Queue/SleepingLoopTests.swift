// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

private struct Silent: LineDestination {
  let name = "Silent"
  let limits = RequestLimits(events: 100, bytes: 100_000)
}

/// Counts how often the present is read.
private final class CountedTime: Time, @unchecked Sendable {
  let looks = Guarded(0)

  override var now: Date {
    looks.withLock { $0 += 1 }
    return super.now
  }
}

/// How often a loop that is woken five times looks at its queue.
private func looks(isAllowed: Bool, hasEvent: Bool) async throws -> Int {
  let folder = TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  let queue = try EventQueue(
    folder: folder.path("queue"), .small, consent: isAllowed ? nil : Consent())
  if hasEvent {
    #expect(Array("{}".utf8).withUnsafeBytes { queue.journal.append($0, at: .now) })
  }
  let time = CountedTime()
  let engine = try Time.withInstance(time) {
    try CollectorEngine(Silent(), queue: queue, upload: .atFlush, transport: ScriptedTransport([]))
  }
  for count in 1...5 {
    engine.wake()
    #expect(await Patience.waitIdly { time.looks.withLock { $0 } >= count })
  }
  engine.close()
  return time.looks.withLock { $0 }
}

@Suite struct `Idle upload loop` {
  // In a process of its own, since one that never sleeps would keep others from running.
  @Test func `an idle upload loop checks the queue once each time it wakes`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for (isAllowed, hasEvent) in [(false, true), (false, false), (true, false), (true, true)] {
        let count = try await looks(isAllowed: isAllowed, hasEvent: hasEvent)
        // Once more at its beginning.
        #expect((5...6).contains(count))
      }
    }
  }
}
