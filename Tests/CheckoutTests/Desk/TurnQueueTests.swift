import Ambient
import AmbientTesting
import Testing

@testable import Checkout

/// In virtual time, whose advance waits until all tasks wait.
@Suite(.virtualTime(from: "2026-11-27T00:00:00-05:00")) struct `Who waits for a turn` {
  /// The numbers of those who have entered, in their order.
  private final class Numbers: Sendable {
    private let kept = Guarded<[Int]>([])

    var all: [Int] { kept.withLock { $0 } }

    func append(_ number: Int) { kept.withLock { $0.append(number) } }
  }

  private let entered = Numbers()
  private var numbers: [Int] { entered.all }

  @Test func `enters alone, in the order of arrival`() async throws {
    let time = try VirtualTime.current
    let queue = TurnQueue()
    func enter(_ number: Int) async throws {
      Time.task { [entered] in
        await queue.enter()
        entered.append(number)
      }
      try await time.advance(by: .milliseconds(1))
    }
    for number in 0...3 { try await enter(number) }
    #expect(numbers == [0])
    for number in 1...3 {
      queue.leave()
      try await time.advance(by: .milliseconds(1))
      #expect(numbers == Array(0...number))
    }
    queue.leave()
    // Free again, for one.
    try await enter(4)
    try await enter(5)
    #expect(numbers == [0, 1, 2, 3, 4])
    queue.leave()
    try await time.advance(by: .milliseconds(1))
    #expect(numbers == [0, 1, 2, 3, 4, 5])
    queue.leave()
  }

  @Test func `enters alone for the order of a key, and waits for no other key`() async throws {
    let time = try VirtualTime.current
    let store = try ShopStore.stocked(["mug": 1])
    let gates = (0...5).map { _ in TurnQueue() }
    for gate in gates { await gate.enter() }
    let left = Numbers()
    func enter(_ number: Int, _ key: String) async throws {
      let key = try IdempotencyKey(key)
      let gate = gates[number]
      Time.task { [entered] in
        try? await store.inTurn(key) { () async throws(CheckoutError) in
          entered.append(number)
          await gate.enter()
          left.append(number)
          if number == 1 { throw .emptyBasket }
        }
      }
      try await time.advance(by: .milliseconds(1))
    }
    func open(_ number: Int) async throws {
      gates[number].leave()
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
    // The key is free again.
    try await enter(4, "one")
    try await enter(5, "one")
    #expect(numbers == [0, 3, 1, 2, 4])
    try await open(4)
    try await open(5)
    #expect(left.all == [3, 0, 1, 2, 4, 5])
  }
}
