// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Testing

@testable import Checkout

/// In virtual time, whose advance waits until all tasks wait.
@Suite(.virtualTime(from: "2026-11-27T00:00:00-05:00")) struct `Turns of callers by name` {
  /// The numbers of those who have entered, in their order.
  private final class Numbers: Sendable {
    private let kept = Guarded<[Int]>([])

    var all: [Int] { kept.withLock { $0 } }

    func append(_ number: Int) { kept.withLock { $0.append(number) } }
  }

  /// Holds the callers that come before it is opened.
  private final class Gate: Sendable {
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]?>([])

    func pass() async {
      await withCheckedContinuation { continuation in
        let isOpen = waiting.withLock { $0?.append(continuation) == nil }
        if isOpen { continuation.resume() }
      }
    }

    func open() {
      for continuation in waiting.withLock({ $0.take() }) ?? [] { continuation.resume() }
    }
  }

  private let entered = Numbers()
  private var numbers: [Int] { entered.all }

  @Test
  func `Turns runs callers with the same name in order, and other callers without delay`()
    async throws
  {
    let time = try VirtualTime.current
    let turns = Turns()
    let gates = (0...5).map { _ in Gate() }
    let left = Numbers()
    func enter(_ number: Int, _ name: String) async throws {
      let gate = gates[number]
      Time.task { [entered] in
        try? await turns.take(name) { () async throws(CheckoutError) in
          entered.append(number)
          await gate.pass()
          left.append(number)
          if number == 1 { throw .emptyBasket }
        }
      }
      try await time.advance(by: .milliseconds(1))
    }
    func open(_ number: Int) async throws {
      gates[number].open()
      try await time.advance(by: .milliseconds(1))
    }
    for number in 0...2 { try await enter(number, "one") }
    #expect(numbers == [0])
    try await enter(3, "other")
    #expect(numbers == [0, 3])
    try await open(3)
    try await open(0)
    #expect(numbers == [0, 3, 1])
    // One that fails lets the next one in, too.
    try await open(1)
    #expect(numbers == [0, 3, 1, 2])
    try await open(2)
    // The name is free again.
    try await enter(4, "one")
    try await enter(5, "one")
    #expect(numbers == [0, 3, 1, 2, 4])
    try await open(4)
    try await open(5)
    #expect(left.all == [3, 0, 1, 2, 4, 5])
  }
}
