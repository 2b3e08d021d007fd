// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import Testing

/// Programs with a bug that the order of their tasks hides first in, first out, and the same
/// programs without it.
enum RacyProgram: String, CaseIterable, CustomTestStringConvertible {
  case reentered, lastItem, paidTwice, filledTwice, earlyWake, lateCancel, sameAgain
  case threeSwitches, fiveSwitches

  struct Failure: Error {}

  var testDescription: String { rawValue }

  /// Whether the bug takes several switches at the right places.
  var isDeep: Bool { self == .threeSwitches || self == .fiveSwitches }

  /// Runs the program.
  ///
  /// - Throws: ``Failure`` if the bug shows.
  func run(isRight: Bool, idle: Int = 0) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<idle { group.addTask { await pause(20) } }
      try await run(isRight)
      try await group.waitForAll()
    }
  }

  private func run(_ isRight: Bool) async throws {
    switch self {
    case .reentered: try await Self.reenter(isRight)
    case .lastItem: try await Self.buyLast(isRight)
    case .paidTwice: try await Self.pay(isRight)
    case .filledTwice: try await Self.fill(isRight)
    case .earlyWake: try await Self.wake(isRight)
    case .lateCancel: try await Self.cancel(isRight)
    case .sameAgain: try await Self.swap(isRight)
    case .threeSwitches: try await Self.alternate(4, isRight)
    case .fiveSwitches: try await Self.alternate(6, isRight)
    }
  }

  /// A method of an actor checks, suspends, and acts.
  private static func reenter(_ isRight: Bool) async throws {
    actor Account {
      private(set) var balance = 100

      func withdraw(isRight: Bool) async {
        guard balance >= 100 else { return }
        await pause(1)
        if isRight, balance < 100 { return }
        balance -= 100
      }
    }
    let account = Account()
    async let first: Void = account.withdraw(isRight: isRight)
    async let second: Void = {
      await pause(8)
      await account.withdraw(isRight: isRight)
    }()
    _ = await (first, second)
    if await account.balance < 0 { throw Failure() }
  }

  /// Two buyers look whether there is one left, and take it.
  private static func buyLast(_ isRight: Bool) async throws {
    actor Stock {
      private(set) var left = 1

      func take() { left -= 1 }

      func takeIfLeft() { if left > 0 { left -= 1 } }
    }
    let stock = Stock()
    @Sendable func buy(after pauses: Int) async {
      await pause(pauses)
      if isRight { return await stock.takeIfLeft() }
      if await stock.left > 0 { await stock.take() }
    }
    await withTaskGroup { group in
      group.addTask { await buy(after: 0) }
      group.addTask { await buy(after: 6) }
    }
    if await stock.left < 0 { throw Failure() }
  }

  /// A client asks again if the answer is late, without a key by which the server knows the request.
  private static func pay(_ isRight: Bool) async throws {
    actor Server {
      private(set) var paid = 0
      private(set) var hasAnswered = false
      private var keys: Set<Int> = []

      func pay(_ key: Int) async {
        await pause(1)
        if keys.insert(key).inserted { paid += 1 }
        hasAnswered = true
      }
    }
    let server = Server()
    await withTaskGroup { group in
      group.addTask { await server.pay(1) }
      for _ in 0..<10 where await !server.hasAnswered { await pause(1) }
      if await !server.hasAnswered { group.addTask { await server.pay(isRight ? 1 : 2) } }
    }
    if await server.paid != 1 { throw Failure() }
  }

  /// Two readers miss, and each loads.
  private static func fill(_ isRight: Bool) async throws {
    actor Cache {
      private(set) var loads = 0
      private var value: Task<Int, Never>?
      private var loaded: Int?

      func read(isRight: Bool) async -> Int {
        if isRight {
          if let value { return await value.value }
          let load = Task { await self.load() }
          value = load
          return await load.value
        }
        if let loaded { return loaded }
        let number = await load()
        loaded = number
        return number
      }

      private func load() async -> Int {
        loads += 1
        await pause(1)
        return 7
      }
    }
    let cache = Cache()
    async let first = cache.read(isRight: isRight)
    async let second = {
      await pause(8)
      return await cache.read(isRight: isRight)
    }()
    _ = await (first, second)
    if await cache.loads != 1 { throw Failure() }
  }

  /// A waiter looks whether the gate is open, and then waits for it. The opening may come between.
  private static func wake(_ isRight: Bool) async throws {
    actor Gate {
      private(set) var isOpen = false
      private var waiters: [AsyncStream<Void>.Continuation] = []

      func open() {
        isOpen = true
        for waiter in waiters { waiter.finish() }
        waiters = []
      }

      func park() -> AsyncStream<Void> {
        let (stream, waiter) = AsyncStream<Void>.makeStream()
        waiters.append(waiter)
        return stream
      }

      func parkIfClosed() -> AsyncStream<Void>? { isOpen ? nil : park() }
    }
    let gate = Gate()
    async let opening: Void = {
      await pause(6)
      await gate.open()
    }()
    if isRight {
      if let stream = await gate.parkIfClosed() { for await _ in stream {} }
    } else if await !gate.isOpen {
      for await _ in await gate.park() {}
    }
    try Task.checkCancellation()
    await opening
  }

  /// A worker looks whether it was cancelled, and then publishes.
  private static func cancel(_ isRight: Bool) async throws {
    actor Board {
      private(set) var isWrong = false
      private var isClosed = false

      func publish(isRight: Bool) { if isClosed, !isRight { isWrong = true } }

      func close() { isClosed = true }
    }
    let board = Board()
    let worker = Time.task {
      if Task.isCancelled { return }
      await pause(1)
      await board.publish(isRight: isRight)
    }
    await pause(8)
    worker.cancel()
    await board.close()
    await worker.value
    if await board.isWrong { throw Failure() }
  }

  /// A value is what it was, so it seems that nothing has happened.
  private static func swap(_ isRight: Bool) async throws {
    actor Register {
      private(set) var value = "A"
      private(set) var version = 0
      private(set) var isWrong = false

      func set(_ new: String) {
        value = new
        version += 1
      }

      func swap(ifStill old: String, _ version: Int, isRight: Bool) {
        guard value == old, !isRight || self.version == version else { return }
        if self.version != version { isWrong = true }
        set("C")
      }
    }
    let register = Register()
    async let first: Void = {
      let (value, version) = await (register.value, register.version)
      await pause(1)
      await register.swap(ifStill: value, version, isRight: isRight)
    }()
    async let second: Void = {
      await pause(6)
      await register.set("B")
      await register.set("A")
    }()
    _ = await (first, second)
    if await register.isWrong { throw Failure() }
  }

  /// Two tasks make the moves of a game by turns, if the other one lets them.
  private static func alternate(_ moves: Int, _ isRight: Bool) async throws {
    actor Game {
      private(set) var moves = 0

      func move(_ number: Int) { if moves == number { moves += 1 } }

      func moveAll(_ numbers: [Int]) { for number in numbers { move(number) } }
    }
    let game = Game()
    @Sendable func play(_ numbers: [Int], after pauses: Int) async {
      await pause(pauses)
      if isRight { return await game.moveAll(numbers) }
      for number in numbers {
        await game.move(number)
        await pause(1)
      }
    }
    let even = (0..<moves).filter { $0.isMultiple(of: 2) }
    let odd = (0..<moves).filter { !$0.isMultiple(of: 2) }
    async let first: Void = play(even, after: 0)
    async let second: Void = play(odd, after: 12)
    _ = await (first, second)
    if await game.moves == moves { throw Failure() }
  }
}

/// Suspends this often.
func pause(_ times: Int) async { for _ in 0..<times { await Task.yield() } }
