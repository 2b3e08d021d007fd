// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

private final class Counter: Sendable {
  private let value = Guarded(0)

  var count: Int { value.withLock { $0 } }

  func add() { value.withLock { $0 += 1 } }
}

/// Waits for a bell that rings once for each wait.
private func ringOnceForEachWait() async {
  endIfHanging()
  let bell = Bell()
  let ended = Counter()
  let over = Counter()
  let waiting = Task {
    while !Task.isCancelled, ended.count < 1_000 {
      await bell.wait()
      ended.add()
    }
    over.add()
  }
  // Time in which a wait could end without a ring.
  try? await Task.sleep(for: .milliseconds(20))
  #expect(ended.count == 0)
  for count in 1...3 {
    bell.ring()
    #expect(await Patience.waitIdly { ended.count >= count })
    try? await Task.sleep(for: .milliseconds(5))
    #expect(ended.count == count)
  }
  waiting.cancel()
  #expect(await Patience.waitIdly { over.count == 1 })
}

/// Waits for a bell that rang before.
private func ringBeforeWaits() async {
  endIfHanging()
  let bell = Bell()
  bell.ring()
  bell.ring()
  let ended = Counter()
  let waiting = Task {
    for _ in 0..<2 {
      await bell.wait()
      ended.add()
    }
  }
  #expect(await Patience.waitIdly { ended.count >= 1 })
  try? await Task.sleep(for: .milliseconds(5))
  #expect(ended.count == 1)
  waiting.cancel()
  #expect(await Patience.waitIdly { ended.count == 2 })
  // A wait of a task that was cancelled before ends at once, too.
  let late = Task {
    withUnsafeCurrentTask { $0?.cancel() }
    await bell.wait()
    ended.add()
  }
  #expect(await Patience.waitIdly { ended.count == 3 })
  late.cancel()
}

@Suite struct `Bell waits` {
  // In a process of its own, since a wait that ends twice would end the process, and one that
  // never ends would stay in it.
  @Test func `each call of Bell.ring() ends one wait`() async {
    await #expect(processExitsWith: .success) { await ringOnceForEachWait() }
  }

  @Test func `if a Bell rings twice before any wait, only the first wait ends at once`() async {
    await #expect(processExitsWith: .success) { await ringBeforeWaits() }
  }

  @Test(.frozen(at: "2026-11-27T00:00:00Z"))
  func `in frozen time, a Bell wait with a limit of zero or less ends at once`() async {
    let bell = Bell()
    let isOver = Guarded(false)
    let waiting = Task {
      await bell.wait(atMost: .zero)
      await bell.wait(atMost: .seconds(-1))
      isOver.withLock { $0 = true }
    }
    #expect(await Patience.waitIdly { isOver.withLock { $0 } })
    waiting.cancel()
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand))
  func `a Bell wait ends exactly at its time limit`() async throws {
    let time = try VirtualTime.current
    let bell = Bell()
    let isOver = Guarded(false)
    let waiting = Task {
      await bell.wait(atMost: .seconds(3))
      isOver.withLock { $0 = true }
    }
    try await time.advance(by: .milliseconds(2_999))
    #expect(!isOver.withLock { $0 })
    try await time.advance(by: .milliseconds(1))
    #expect(isOver.withLock { $0 })
    waiting.cancel()
  }
}
