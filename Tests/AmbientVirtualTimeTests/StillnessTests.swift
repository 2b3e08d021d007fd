// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientVirtualTime

/// The verdicts of the watch on a scope, without a thread that waits for real: a test takes the
/// wake-ups of a time one after another.
struct `Stall detection` {
  private var stillness = Stillness(limit: .milliseconds(500), patience: .milliseconds(200))

  /// The scope's state while one job runs, unless a test changes it.
  private static func look(
    taken: Int = 7, rounds: Int = 0, changes: Int = 0,
    turn: VirtualState.Turn = .thread(1, number: 1), mayBeDeadlock: Bool = false,
    waited: Stillness.Waited? = nil, timesServed: SharedQueue.Counts = (0, 0)
  ) -> Stillness.Look {
    Stillness.Look(
      taken: UInt64(taken), rounds: UInt64(rounds), changes: UInt64(changes), turn: turn,
      needsMainQueue: true, mayBeDeadlock: mayBeDeadlock, waited: waited, timesServed: timesServed)
  }

  /// The time for which a thread has waited for a processor, so many milliseconds after it began.
  private static func waited(
    _ milliseconds: Int, after time: Int, thread: Int = 3
  ) -> Stillness.Waited {
    Stillness.Waited(
      thread: UInt32(thread), duration: .milliseconds(milliseconds), time: .milliseconds(time))
  }

  /// The verdict that ends the scope within the time; nil if there is none. `look` gets the number
  /// of the wake-up. The queues answer each question at once, if `answers`.
  private mutating func verdict(
    within time: Duration, answers: Bool = true, _ look: (Int) -> Stillness.Look = { _ in look() }
  ) -> Stillness.Verdict? {
    for wakeUp in 0..<ScopeWatch.wakeUps(time) {
      let verdict = stillness.tick(look(wakeUp))
      switch verdict {
      case .quiet, .deadlock: return verdict
      case .ask(let pool, let mainQueue) where answers:
        if let pool { _ = stillness.poolAnswered(pool) }
        if let mainQueue { _ = stillness.mainQueueAnswered(mainQueue) }
      case .ask, .goesOn, .endless: continue
      }
    }
    return nil
  }

  @Test mutating func `a scope counts as stalled when its stall limit has passed without progress`()
  {
    for _ in 1...20 {
      stillness.noteProgress()
      #expect(verdict(within: .milliseconds(450)) == nil)
    }
    #expect(verdict(within: .milliseconds(150)) == .quiet)
  }

  @Test(arguments: [true, false])
  mutating func `a scope doesn't stall while its thread waits for a processor`(isOneJob: Bool) {
    let end = verdict(within: .seconds(50)) { number in
      let jobs = isOneJob ? 7 : number
      return Self.look(
        taken: jobs, rounds: jobs, waited: Self.waited(50 * number, after: 50 * number))
    }
    #expect(end == nil)
  }

  @Test
  mutating func `a scope without progress counts as stalled even if its thread gets little time`() {
    /// The thread has the turn at each third wake-up, and the wake-ups come late, too.
    func look(_ number: Int) -> Stillness.Look {
      Self.look(
        taken: number / 3, rounds: number / 3 * 2,
        turn: number.isMultiple(of: 3) ? .thread(3, number: 3) : .pool,
        waited: Self.waited(80 * number, after: 100 * number))
    }
    #expect(verdict(within: .seconds(3), look) == nil)
    #expect(verdict(within: .seconds(6)) { look($0 + 60) } == .quiet)
  }

  @Test
  mutating func `a scope without progress counts as stalled even if other threads wait to run`() {
    let end = verdict(within: .seconds(1)) { number in
      Self.look(waited: Self.waited(50 * number, after: 50 * number, thread: number))
    }
    #expect(end == .quiet)
  }

  @Test
  mutating func `a scope doesn't count as stalled before each queued job has had a chance to run`()
  {
    #expect(verdict(within: .seconds(50)) { Self.look(taken: 5 + $0, turn: .pool) } == nil)
    // A round a second: of two rounds, one begins after all jobs of the other.
    func look(_ number: Int) -> Stillness.Look {
      Self.look(taken: 5 + number, rounds: number / 20, turn: .pool)
    }
    #expect(verdict(within: .seconds(18), look) == nil)
    #expect(verdict(within: .seconds(4)) { look($0 + 360) } == .quiet)
  }

  @Test
  mutating func
    `a scope without progress counts as stalled even if its jobs alternate between queues`()
  {
    let end = verdict(within: .seconds(1)) { number in
      let turn = number.isMultiple(of: 2) ? VirtualState.Turn.pool : .mainQueue
      return Self.look(taken: number * 10, rounds: number * 2, turn: turn)
    }
    #expect(end == .quiet)
  }

  @Test
  mutating func `a deadlock isn't reported before the pool and the main queue answer a probe`() {
    func look(_ number: Int) -> Stillness.Look { Self.look(turn: .idle, mayBeDeadlock: true) }
    #expect(verdict(within: .seconds(50), answers: false, look) == nil)
    _ = stillness.poolAnswered(1)
    #expect(verdict(within: .seconds(50), answers: false, look) == nil)
    _ = stillness.mainQueueAnswered(1)
    #expect(verdict(within: .seconds(1), look) == .deadlock)
  }

  @Test
  mutating func `a deadlock is reported once the scope's patience has passed without a change`() {
    func look(_ number: Int) -> Stillness.Look { Self.look(turn: .idle, mayBeDeadlock: true) }
    #expect(verdict(within: .milliseconds(200), look) == nil)
    #expect(verdict(within: .milliseconds(50), look) == .deadlock)
    stillness.restart()
    let end = verdict(within: .seconds(1)) { number in
      Self.look(changes: number / 3, turn: .idle, mayBeDeadlock: true)
    }
    #expect(end == .quiet)
  }

  @Test mutating func `a scope's patience delays only the report of a deadlock, not of a stall`() {
    func look(_ number: Int) -> Stillness.Look { Self.look(turn: .idle, mayBeDeadlock: true) }
    stillness = Stillness(limit: .milliseconds(500), patience: .seconds(300))
    #expect(verdict(within: .seconds(5), look) == nil)
    // A task runs: its limit begins.
    #expect(verdict(within: .milliseconds(450)) == nil)
    #expect(verdict(within: .milliseconds(150)) == .quiet)
    stillness = Stillness(limit: .milliseconds(500), patience: .seconds(300))
    #expect(verdict(within: .milliseconds(600)) { _ in Self.look(turn: .idle) } == .quiet)
    stillness = Stillness(limit: .milliseconds(500), patience: .seconds(1))
    #expect(verdict(within: .seconds(1), look) == nil)
    #expect(verdict(within: .milliseconds(50), look) == .deadlock)
  }

  /// A minute, or ten times the limit.
  @Test(arguments: [VirtualState.Turn.pool, .mainQueue], [(0.5, 60), (10, 100)])
  mutating func `a thread pool or main queue that starves scopes is reported, but no scope ends`(
    turn: VirtualState.Turn, limit: (of: Double, reached: Int)
  ) {
    stillness = Stillness(limit: .seconds(limit.of), patience: .milliseconds(200))
    func look(_ times: Int, other: Int = 0) -> (Int) -> Stillness.Look {
      let counts = turn == .pool ? (times, other) : (other, times)
      return { _ in Self.look(turn: turn, timesServed: counts) }
    }
    // It serves another scope in between.
    for times in 1...3 {
      #expect(verdict(within: .seconds(limit.reached - 1), look(times)) == nil)
      #expect(stillness.starvedOf == nil)
    }
    // That the other queue serves one is no progress.
    #expect(verdict(within: .seconds(2), look(3, other: 9)) == nil)
    #expect(stillness.starvedOf == (turn == .pool ? .pool : .mainQueue))
    #expect(verdict(within: .milliseconds(100)) == nil)
    #expect(stillness.starvedOf == nil, "a job runs")
  }

  @Test func `a QueueProbe sends one question at a time, and of waiting questions only the latest`()
  {
    var probe = QueueProbe()
    let isSent = (1...3).map { probe.ask($0) }
    #expect(isSent == [true, false, false])
    let next = probe.answer(1)
    #expect(next == 3)
    #expect(probe.answered == 1)
    let last = probe.answer(3)
    #expect(last == nil)
    #expect(probe.answered == 3)
    let isSentAgain = probe.ask(4)
    #expect(isSentAgain)
  }
}
