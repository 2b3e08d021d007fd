import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `The report of scopes that wait for the pool or the main queue` {
  private var starvation = Starvation()
  private var timesServed: [SharedQueue: Int] = [.pool: 5, .mainQueue: 7]

  /// Wakes up so many times, with scopes that have waited for these queues; the scopes reported.
  private mutating func looks(_ count: Int, _ starved: SharedQueue?...) -> [Int] {
    (0..<count).compactMap { _ in
      starvation.look(starved) { [timesServed] in timesServed[$0] ?? 0 }
    }
  }

  @Test(arguments: SharedQueue.allCases)
  mutating func `is made when its queue has served none for a minute`(queue: SharedQueue) {
    #expect(looks(1_200, queue).isEmpty)
    #expect(looks(1, queue) == [0])
  }

  @Test(arguments: SharedQueue.allCases)
  mutating func `is not made while its queue serves others`(queue: SharedQueue) {
    for _ in 1...3 {
      #expect(looks(1_200, queue).isEmpty)
      timesServed[queue, default: 0] += 1
    }
    #expect(looks(1_200, queue).isEmpty)
    #expect(looks(1, queue) == [0])
  }

  @Test(arguments: SharedQueue.allCases)
  mutating func `is made though the other queue serves scopes`(queue: SharedQueue) {
    let other = queue == .pool ? SharedQueue.mainQueue : .pool
    for _ in 1...1_200 {
      #expect(looks(1, nil, queue).isEmpty)
      timesServed[other, default: 0] += 1
    }
    #expect(looks(1, nil, other, queue) == [2])
  }

  @Test mutating func `is not made of scopes that wait for none`() {
    #expect(looks(3_000, nil, nil).isEmpty)
    #expect(looks(1, nil, .pool) == [1])
  }

  @Test mutating func `is made once, and again when none has waited in between`() {
    #expect(looks(3_000, .pool) == [0])
    timesServed[.pool] = 6
    #expect(looks(3_000, .pool).isEmpty)
    #expect(looks(1, nil).isEmpty)
    #expect(looks(10, .pool) == [0])
  }

  @Test func `knows each turn of a scope, each answer to the watch, and who opens one`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let (pool, main) = (SharedQueue.pool, SharedQueue.mainQueue)
      try await Time.virtual(from: start) { _ in
        let before = (pool.timesServed, main.timesServed)
        for _ in 0..<100 {
          await Time.hold {
            await withCheckedContinuation { continuation in
              Outside.run { continuation.resume() }
            }
          }
        }
        precondition(pool.timesServed >= before.0 + 100)
        for _ in 0..<100 { await MainActor.run {} }
        precondition(main.timesServed >= before.1 + 100)
        await Time.hold {
          await withCheckedContinuation { continuation in
            Outside.run {
              for queue in SharedQueue.allCases {
                let before = queue.timesServed
                precondition(
                  Patience.wait {
                    _ = ScopeWatch.look()
                    return queue.timesServed >= before + 5
                  })
              }
              continuation.resume()
            }
          }
        }
      }
      try await Self.openOnMainActor(100)
    }
  }

  @MainActor private static func openOnMainActor(_ count: Int) async throws {
    let before = SharedQueue.mainQueue.timesServed
    for _ in 0..<count {
      try await Time.virtual(from: start) { @concurrent _ in }
    }
    precondition(SharedQueue.mainQueue.timesServed >= before + count)
  }
}
