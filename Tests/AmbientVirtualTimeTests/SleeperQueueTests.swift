// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientVirtualTime

struct `Sleeper queue` {
  @Test func `popping a sleeper from a SleeperQueue also removes its heap entry`() async throws {
    try await Waits.with { waits in
      var queue = SleeperQueue()
      queue.insert(sleeper(1, waits), id: 1)
      #expect(queue.popFirst() != nil)
      #expect(queue.heapCount == 0)
    }
  }

  @Test func `cancelled sleepers don't accumulate in the heap of a scope's SleeperQueue`()
    async throws
  {
    try await Time.virtual(from: start) { time in
      for _ in 0..<20 {
        let tasks = (0..<100).map { _ in Time.task { try await Time.sleep(for: .seconds(60)) } }
        try await time.advance(by: .zero)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
      }
      #expect(time.sleepers.isEmpty)
      #expect(time.scheduler.withState { $0.waiting.heapCount } <= 64)
      #expect(time.scheduler.withState { $0.isWithoutTrace })
    }
  }

  private func sleeper(
    _ seconds: Int, _ waits: Waits, isLimit: Bool = false, isBackground: Bool = false
  ) -> SleeperQueue.Waiting {
    let sleeper = VirtualTime.Sleeper(
      caller: SteppedScope.place, task: nil, start: .zero, deadline: .seconds(seconds),
      date: SteppedScope.start + Double(seconds), callers: [])
    return SleeperQueue.Waiting(
      sleeper: sleeper, end: .resume(waits.time), task: 0, isBody: false, isLimit: isLimit,
      isBackground: isBackground)
  }

  @Test func `SleeperQueue orders sleepers by deadline, then sleep before timeout, then start`()
    async throws
  {
    try await Waits.with { waits in
      var queue = SleeperQueue()
      #expect(queue.earliest() == nil)
      let sleeps = [(4, false), (2, true), (2, false), (9, false), (2, true), (2, false)]
      for (index, (seconds, isLimit)) in sleeps.enumerated() {
        queue.insert(sleeper(seconds, waits, isLimit: isLimit), id: UInt64(index + 1))
      }
      #expect(queue.sleepers.map(\.deadline) == [2, 2, 2, 2, 4, 9].map { .seconds($0) })
      #expect(queue.log.map(\.deadline) == sleeps.map { .seconds($0.0) })
      #expect(queue.earliest() == .seconds(2))
      #expect(queue.remove(3) != nil)
      #expect(queue.remove(3) == nil)
      let first = queue.popFirst()
      #expect(queue.count == 4 && queue.heapCount == 4)
      let woken = [first].compactMap(\.self) + queue.removeAll()
      #expect(woken.map(\.isLimit) == [false, true, true, false, false])
      #expect(woken.map(\.sleeper.deadline) == [2, 2, 2, 4, 9].map { .seconds($0) })
      #expect(queue.count == 0 && queue.heapCount == 0 && queue.sleepers.isEmpty)
      #expect(queue.popFirst() == nil)
    }
  }

  @Test func `SleeperQueue counts the sleepers in background tasks`() async throws {
    try await Waits.with { waits in
      var queue = SleeperQueue()
      var counts = [queue.backgroundCount]
      for id in 1...4 {
        queue.insert(sleeper(id, waits, isBackground: id.isMultiple(of: 2)), id: UInt64(id))
        counts.append(queue.backgroundCount)
      }
      _ = (queue.remove(2), queue.remove(2), queue.popFirst())
      counts.append(queue.backgroundCount)
      _ = queue.removeAll()
      #expect(counts + [queue.backgroundCount] == [0, 0, 1, 1, 2, 1, 0])
    }
  }

  @Test(arguments: [64, 65, 130])
  func `a SleeperQueue heap of over 64 entries is cleaned up when most are cancelled`(
    count: Int
  ) async throws {
    try await Waits.with { waits in
      var queue = SleeperQueue()
      for id in 1...count { queue.insert(sleeper(id, waits), id: UInt64(id)) }
      for cancelled in 1...count / 2 {
        _ = queue.remove(UInt64(cancelled))
        #expect(queue.heapCount == count)
      }
      _ = queue.remove(UInt64(count / 2 + 1))
      let left = count - count / 2 - 1
      #expect(queue.heapCount == (count > 64 ? left : count))
      #expect(queue.count == left)
      #expect(queue.earliest() == .seconds(count / 2 + 2))
      #expect(queue.removeAll().count == left)
    }
  }

  @Test func `SleeperQueue logs at least the last 10,000 sleeps`() async throws {
    try await Waits.with { waits in
      var queue = SleeperQueue()
      var isComplete = true
      for id in 1...20_001 {
        queue.insert(sleeper(id, waits), id: UInt64(id))
        _ = queue.remove(UInt64(id))
        let count = queue.log.count
        isComplete =
          isComplete && count >= min(id, 10_000) && count <= 20_000
          && queue.log[count - 1].deadline == .seconds(id)
          && queue.log[max(0, count - 10_000)].deadline == .seconds(max(1, id - 9_999))
      }
      #expect(isComplete)
    }
  }

  @Test func `after a third of all sleepers are cancelled, the others wake in deadline order`()
    async throws
  {
    let timeline = Timeline()
    try await Time.virtual(from: start) { time in
      var random = SplitMix64(seed: 7)
      let delays = (0..<1_000).map { _ in Int.random(in: 1...200, using: &random) }
      let tasks = delays.map { timeline.sleeper("", Double($0)) }
      try await time.advance(by: .zero)
      for (index, task) in tasks.enumerated() where index % 3 == 0 { task.cancel() }
      try await time.run()
      let expected = delays.enumerated().filter { $0.offset % 3 != 0 }.map(\.element).sorted()
      #expect(
        timeline.lines.filter { !$0.hasSuffix("cancelled") } == expected.map { "\(Double($0)) " })
    }
  }
}
