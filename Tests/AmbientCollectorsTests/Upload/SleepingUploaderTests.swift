import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

private struct Silent: LineDestination {
  let name = "Silent"
  let limits = RequestLimits(events: 100, bytes: 100_000)
}

/// How often an uploader that is woken five times looks at its queue.
private func looks(isAllowed: Bool, hasEvent: Bool, maximumAge: Duration?) async throws -> Int {
  let folder = TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  var options = Journal.Options.small
  options.maximumAge = maximumAge
  let queue = try EventQueue(folder: folder.path("queue"), options)
  if hasEvent {
    #expect(Array("{}".utf8).withUnsafeBytes { queue.journal.append($0, at: Time.now) })
  }
  let looks = Guarded(0)
  let uploader = Uploader(
    queue.journal, refused: queue.refused, to: Silent(), ScriptedTransport([]), .atFlush,
    isAllowed: {
      looks.withLock { $0 += 1 }
      return isAllowed
    }, notes: queue)
  for count in 1...5 {
    uploader.wake()
    #expect(await Patience.waitIdly { looks.withLock { $0 } >= count })
  }
  uploader.abandon()
  return looks.withLock { $0 }
}

@Suite struct `An uploader that has nothing to do` {
  // In a process of its own, since one that never sleeps would keep others from running.
  @Test func `looks at its queue once for each time that it is woken, and sleeps between`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for (isAllowed, hasEvent) in [(false, true), (false, false), (true, false), (true, true)] {
        for maximumAge in [nil, Duration.seconds(1_000_000)] {
          let count = try await looks(
            isAllowed: isAllowed, hasEvent: hasEvent, maximumAge: maximumAge)
          // Once more at its beginning.
          #expect((5...6).contains(count))
        }
      }
    }
  }
}
