// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@Suite struct `Guarded values` {
  @Test func `concurrent tasks change a Guarded value without losing updates`() async {
    let counts = Counts()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask { for _ in 0..<2_000 { counts.count(task) } }
      }
    }
    #expect(counts.all == [2_000, 2_000, 2_000, 2_000])
  }

  @Test
  func `a Guarded value wakes each of 32 threads that wait for its lock`()
    async
  {
    let counts = Counts()
    await inThreads(32) { thread in
      // Held for longer than a spin, so that the others sleep.
      for _ in 0..<20 { counts.count(thread % 4, for: 100) }
    }
    #expect(counts.all == [160, 160, 160, 160])
  }

  #if os(Linux)
    @Test(.withoutSanitizer)
    func `while two threads contend for a Guarded's lock, each takes it many times in a row`()
      async
    {
      var changes = Int.max
      // Once of five times: a slow machine has too few collisions for a nap.
      for _ in 0..<5 where changes >= 80_000 { changes = await changesOfTurns() }
      // Without naps, a third of all turns or more.
      #expect(changes < 80_000)
    }

    /// Lets two threads take the lock 400,000 times each; returns how often the other thread had it
    /// before.
    private func changesOfTurns() async -> Int {
      let turns = Guarded((latest: -1, changes: 0, work: 0))
      await inThreads(2) { thread in
        var work = thread
        for _ in 0..<400_000 {
          turns.withLock { turns in
            if turns.latest != thread { turns.changes += 1 }
            turns.latest = thread
          }
          // As a log's line is made before the lock is taken for its copy.
          for step in 0..<20 { work = work &* 31 &+ step }
        }
        turns.withLock { $0.work &+= work }
      }
      return turns.withLock(\.changes)
    }
  #endif

  @Test func `a Guarded's lock is released if the body of withLock throws`() {
    struct Refused: Error {}
    let value = Guarded(0)
    #expect(throws: Refused.self) { try value.withLock { _ in throw Refused() } }
    #expect(value.withLock { $0 } == 0)
  }

  @Test func `a deallocated Guarded releases its value`() {
    final class Held: Sendable {}
    weak var held: Held?
    do {
      let value = Held()
      held = value
      let guarded = Guarded([value])
      #expect(guarded.withLock(\.count) == 1)
    }
    #expect(held == nil)
  }

  @Test func `a Guarded stores its value with the memory alignment of the value's type`() {
    struct Wide { var words = SIMD16<Int64>(repeating: 7) }
    let guarded = Guarded(Wide())
    let address = guarded.withLock { value in
      withUnsafePointer(to: &value) { UInt(bitPattern: $0) }
    }
    #expect(address % UInt(MemoryLayout<Wide>.alignment) == 0)
    #expect(guarded.withLock(\.words) == SIMD16(repeating: 7))
  }

  #if os(Linux)
    @Test
    func `in a forked child, a Guarded's lock is free even if a thread of the parent held it`()
      async
    {
      await #expect(processExitsWith: .exitCode(7)) {
        let counts = Counts()
        let isHeld = DispatchSemaphore(value: 0)
        let waits = DispatchSemaphore(value: 0)
        // Two in each state of the lock: one that holds it, and one that sleeps for it.
        for _ in 0..<2 {
          Thread.detachNewThread {
            isHeld.signal()
            counts.count(0) { waits.wait() }
          }
        }
        isHeld.wait()
        isHeld.wait()
        usleep(10_000)
        let status = statusOfFork {
          for _ in 0..<3 { counts.count(1) }
          return counts.all[1] == 3 ? 7 : 1
        }
        // The parent's lock is as it was.
        waits.signal()
        waits.signal()
        counts.count(2)
        _exit(status)
      }
    }
  #endif

  /// Runs the body in threads of their own, with their numbers; returns when all have ended.
  private func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    let done = DispatchGroup()
    for thread in 0..<count {
      done.enter()
      Thread.detachNewThread {
        body(thread)
        done.leave()
      }
    }
    await withCheckedContinuation { continuation in
      done.notify(queue: .global()) { continuation.resume() }
    }
  }

  private final class Counts: Sendable {
    private let guarded = Guarded([0, 0, 0, 0])
    var all: [Int] { guarded.withLock { $0 } }
    func count(_ task: Int) { guarded.withLock { $0[task] += 1 } }

    func count(_ task: Int, for microseconds: UInt32) {
      guarded.withLock { counts in
        let before = counts[task]
        usleep(microseconds)
        counts[task] = before + 1
      }
    }

    func count(_ task: Int, _ whileHeld: () -> Void) {
      guarded.withLock { counts in
        whileHeld()
        counts[task] += 1
      }
    }
  }
}
