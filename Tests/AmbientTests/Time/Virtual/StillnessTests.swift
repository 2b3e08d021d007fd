import Testing

@testable import Ambient

/// What counts as a wake-up in which a scope stood still, without a thread that waits for real.
struct `The stillness of a scope` {
  /// Ten wake-ups are too many.
  var stillness = Stillness(limit: .milliseconds(500), patience: .milliseconds(200))

  /// The verdicts over so many wake-ups at which the scope looks alike.
  private mutating func ticks(
    _ count: Int, taken: UInt64 = 0, rounds: UInt64 = 0, changes: UInt64 = 0,
    turn: VirtualState.Turn = .thread(1, number: 1), needsMainQueue: Bool = true,
    mayBeDeadlock: Bool = false, waited: Stillness.Waited? = nil,
    timesServed: SharedQueue.Counts = (0, 0)
  ) -> Set<String> {
    var verdicts: Set<String> = []
    for _ in 0..<count {
      let verdict = stillness.tick(
        Stillness.Look(
          taken: taken, rounds: rounds, changes: changes, turn: turn,
          needsMainQueue: needsMainQueue, mayBeDeadlock: mayBeDeadlock, waited: waited,
          timesServed: timesServed))
      verdicts.insert(verdict.name)
      if verdict == .quiet { break }
    }
    return verdicts
  }

  /// What a thread has waited for a processor, so many milliseconds after it began.
  private func waited(
    _ milliseconds: Int, after time: Int, thread: UInt32 = 3
  ) -> Stillness.Waited {
    Stillness.Waited(
      thread: thread, duration: .milliseconds(milliseconds), time: .milliseconds(time))
  }

  @Test mutating func `ends where time goes on, and begins where it does not`() {
    for _ in 1...100 {
      stillness.noteProgress()
      #expect(ticks(5) == ["goes on"])
    }
    #expect(ticks(20).contains("quiet"))
  }

  @Test mutating func `fails an advance once, and the next one only after time has gone on`() {
    for round in 1...3 {
      let (first, second) = (stillness.mayFailRequests(), stillness.mayFailRequests())
      #expect(first && !second, "\(round)")
      stillness.noteProgress()
    }
  }

  @Test mutating func `is not counted while a scope within is open`() {
    stillness.beginNested()
    #expect(ticks(1_000) == ["goes on"])
    stillness.endNested()
    #expect(ticks(20).contains("quiet"))
  }

  /// A minute, or ten times the limit.
  @Test(arguments: [(500, 1_200), (6_000, 1_200), (6_050, 1_210), (10_000, 2_000)])
  mutating func `is said to have lasted too long once, whatever goes on`(limit: Int, count: Int) {
    stillness = Stillness(limit: .milliseconds(limit), patience: .milliseconds(200))
    // Those in which a scope within is open do not count.
    stillness.beginNested()
    #expect(ticks(3_000) == ["goes on"])
    stillness.endNested()
    var verdicts: [String] = []
    for _ in 1...3_000 {
      stillness.noteProgress()
      verdicts += ticks(1)
    }
    #expect(verdicts.count { $0 == "endless" } == 1)
    #expect(verdicts.firstIndex(of: "endless") == count - 1)
  }

  @Test(arguments: [VirtualState.Turn.pool, .mainQueue])
  mutating func `is not counted while there is no thread for it`(turn: VirtualState.Turn) {
    #expect(ticks(1_199, turn: turn) == ["goes on"])
    #expect(stillness.starvedOf == nil)
    #expect(ticks(1, turn: turn) == ["goes on"])
    let queue = turn == .pool ? SharedQueue.pool : .mainQueue
    #expect(stillness.starvedOf == queue)
    #expect(ticks(10_000, turn: turn) == ["goes on"])
    #expect(stillness.starvedOf == queue)
    #expect(stillness.quiet == 0)
    #expect(ticks(2) == ["goes on"])
    #expect(stillness.starvedOf == nil)
    #expect(stillness.starved == 0)
    stillness = Stillness(limit: .seconds(10), patience: .milliseconds(200))
    #expect(ticks(1_999, turn: turn) == ["goes on"])
    #expect(stillness.starvedOf == nil)
    _ = ticks(1, turn: turn)
    #expect(stillness.starvedOf == queue)
  }

  /// The number of wake-ups, each of which counts, at which a job has run for too long.
  private mutating func countToQuiet() -> Int? {
    (1...100).first { _ in ticks(1, taken: 7) == ["quiet"] }
  }

  @Test mutating func `is too long after as many wake-ups as the limit has, from anew each time`() {
    _ = ticks(1, taken: 7)
    #expect(countToQuiet() == 10)
    for way in 0..<3 {
      switch way {
      case 0: stillness.noteProgress()
      case 1: stillness.beginNested()
      default: stillness.restart()
      }
      if way < 2 { #expect(ticks(1, taken: 7) == ["goes on"]) }
      if way == 1 { stillness.endNested() }
      #expect(stillness.quiet == 0 && stillness.idle == 0 && stillness.starved == 0)
      #expect(countToQuiet() == 10, "\(way)")
    }
  }

  @Test mutating func `asks anew where time went on, a scope within was open, or a thread ran`() {
    for way in 0..<4 {
      stillness = Stillness(limit: .milliseconds(500), patience: .milliseconds(200))
      _ = ticks(1, turn: .idle)
      #expect(answered(1) == ["ask 2 2"])
      _ = stillness.poolAnswered(2)
      _ = stillness.mainQueueAnswered(2)
      switch way {
      case 0: stillness.noteProgress()
      case 1:
        stillness.beginNested()
        _ = ticks(1, turn: .idle)
        stillness.endNested()
      case 2:
        stillness.noteProgress()
        _ = ticks(1, taken: 7)
      default: stillness.restart()
      }
      #expect(ticks(1, turn: .idle) == ["ask 3 3"], "\(way)")
      #expect(stillness.quiet == 0)
      #expect(stillness.idle == 0)
      answered(3)
      #expect(stillness.quiet == 1)
    }
  }

  @Test mutating func `is idleness only from the next question on, when something happened`() {
    for way in 0..<4 {
      stillness = Stillness(limit: .seconds(5), patience: .milliseconds(200))
      _ = ticks(1, turn: .idle)
      for question: UInt64 in 1...3 { answered(question) }
      #expect(stillness.idle == 3)
      let changes: UInt64 = way == 0 ? 1 : 0
      switch way {
      case 0: break
      case 1: stillness.noteProgress()
      case 2:
        stillness.beginNested()
        answered(4)
        stillness.endNested()
      default: _ = ticks(2, taken: 7)
      }
      answered(4, changes: changes)
      #expect(stillness.idle == 0, "\(way)")
      if way == 0 {
        answered(5, changes: changes)
        #expect(stillness.idle == 1)
      }
    }
  }

  @Test mutating func `is as long as its limit where its patience is not what counts`() {
    stillness = Stillness(limit: .milliseconds(500), patience: .seconds(300))
    // All are suspended, but it is no deadlock.
    _ = ticks(1, turn: .idle)
    let verdicts = (1...10).map { answered($0) }
    #expect(verdicts.firstIndex(of: ["quiet"]) == 9)
    // It may be one, but a task runs.
    stillness = Stillness(limit: .milliseconds(500), patience: .seconds(300))
    #expect(ticks(10, taken: 7, mayBeDeadlock: true) == ["goes on"])
    #expect(ticks(1, taken: 7, mayBeDeadlock: true) == ["quiet"])
    // It is patient for as long as it says, though its limit is shorter.
    stillness = Stillness(limit: .milliseconds(500), patience: .seconds(1))
    _ = ticks(1, turn: .idle)
    let patient = (1...20).map { answered($0, mayBeDeadlock: true) }
    #expect(patient.firstIndex(of: ["deadlock"]) == 19)
    #expect(!patient.contains(["quiet"]))
  }

  @Test mutating func `is less by what its thread waited for a processor, from all to nothing`() {
    var quiet: [Double] = []
    let looks = [(0, 100), (50, 200), (50, 300), (40, 400), (240, 500), (240, 500), (290, 600)]
    _ = ticks(1, taken: 7)
    for (waited, time) in looks {
      _ = ticks(1, taken: 7, waited: self.waited(waited, after: time))
      quiet.append(stillness.quiet)
    }
    #expect(quiet == [1, 1.5, 2.5, 3.5, 3.5, 4.5, 5])
    // What it waited before the scope went on does not count.
    stillness.noteProgress()
    _ = ticks(1, taken: 7, waited: waited(390, after: 700))
    _ = ticks(1, taken: 7, waited: waited(490, after: 800))
    #expect(stillness.quiet == 1)
  }

  @Test mutating func `is not counted until each job in the queue had a turn`() {
    #expect(ticks(100, taken: 5, rounds: 2, turn: .pool) == ["goes on"])
    #expect(stillness.quiet == 1)
    // The round that was going on is over, but the jobs that came meanwhile stand in the next.
    #expect(ticks(100, taken: 9, rounds: 3, turn: .pool) == ["goes on"])
    #expect(stillness.quiet == 1)
    #expect(ticks(1, taken: 10, rounds: 4, turn: .pool) == ["goes on"])
    #expect(stillness.quiet == 2)
  }

  @Test mutating func `is seen though each look finds the scope between two threads`() {
    var verdicts: Set<String> = []
    for tick in 1...20 {
      let turn = tick.isMultiple(of: 2) ? VirtualState.Turn.pool : .mainQueue
      verdicts.formUnion(ticks(1, taken: UInt64(tick * 10), rounds: UInt64(tick * 2), turn: turn))
    }
    #expect(verdicts.contains("quiet"))
  }

  @Test mutating func `is not counted until the pool and the main queue have answered`() {
    #expect(ticks(1, turn: .idle) == ["ask 1 1"])
    #expect(ticks(100, turn: .idle) == ["goes on"])
    _ = stillness.poolAnswered(1)
    #expect(ticks(100, turn: .idle) == ["goes on"])
    #expect(stillness.quiet == 0)
    _ = stillness.mainQueueAnswered(1)
    #expect(ticks(1, turn: .idle) == ["ask 2 2"])
    #expect(stillness.quiet == 1)
    #expect(ticks(100, turn: .idle) == ["goes on"])
    #expect(stillness.quiet == 1)
  }

  @Test mutating func `tells which of them has not answered for long`() {
    #expect(ticks(1, turn: .idle) == ["ask 1 1"])
    _ = ticks(1_200, turn: .idle)
    #expect(stillness.starvedOf == .pool)
    _ = stillness.poolAnswered(1)
    _ = ticks(1_199, turn: .idle)
    #expect(stillness.starvedOf == nil)
    _ = ticks(1, turn: .idle)
    #expect(stillness.starvedOf == .mainQueue)
  }

  @Test(arguments: [VirtualState.Turn.pool, .mainQueue])
  mutating func `waits for a queue that is busy, not blocked, while that serves another scope`(
    turn: VirtualState.Turn
  ) {
    func served(_ times: Int, other: Int = 0) -> SharedQueue.Counts {
      turn == .pool ? (times, other) : (other, times)
    }
    for times in 1...3 {
      _ = ticks(1_199, turn: turn, timesServed: served(times))
      #expect(stillness.starvedOf == nil)
    }
    _ = ticks(1_199, turn: turn, timesServed: served(4))
    _ = ticks(1, turn: turn, timesServed: served(4, other: 9))
    #expect(stillness.starvedOf == (turn == .pool ? .pool : .mainQueue))
  }

  @Test mutating func `does not wait for a main queue that the scope does not need`() {
    #expect(ticks(1, turn: .idle, needsMainQueue: false) == ["ask 1 1"])
    _ = stillness.poolAnswered(1)
    #expect(ticks(1, turn: .idle, needsMainQueue: false) == ["ask 2 -"])
    #expect(stillness.quiet == 1)
    #expect(stillness.idle == 0, "the main queue may be at work for the scope")
  }

  /// Answers the last question, and looks again.
  @discardableResult
  private mutating func answered(
    _ question: UInt64, changes: UInt64 = 0, mayBeDeadlock: Bool = false
  ) -> Set<String> {
    _ = stillness.poolAnswered(question)
    _ = stillness.mainQueueAnswered(question)
    return ticks(1, changes: changes, turn: .idle, mayBeDeadlock: mayBeDeadlock)
  }

  @Test mutating func `is idleness while nothing happens at all, and all are suspended`() {
    _ = ticks(1, turn: .idle)
    for question in 1...3 {
      answered(UInt64(question))
      #expect(stillness.idle == question)
      #expect(!stillness.isIdle)
    }
    answered(4)
    #expect(stillness.isIdle)
  }

  @Test mutating func `is a deadlock after the patience where nothing will end it`() {
    _ = ticks(1, turn: .idle)
    let verdicts = (1...4).map { answered($0, mayBeDeadlock: true) }
    #expect(verdicts == [["ask 2 2"], ["ask 3 3"], ["ask 4 4"], ["deadlock"]])
  }

  @Test mutating func `that the patience allows is not counted once a task goes on`() {
    stillness = Stillness(limit: .milliseconds(500), patience: .seconds(300))
    _ = ticks(1, turn: .idle)
    for question in 1...100 { answered(UInt64(question), mayBeDeadlock: true) }
    #expect(ticks(10, taken: 7) == ["goes on"])
    #expect(ticks(1, taken: 7) == ["quiet"])
  }

  @Test mutating func `asks again when it begins anew, but not while a question is under way`() {
    #expect(ticks(1, turn: .idle) == ["ask 1 1"])
    stillness.restart()
    #expect(ticks(1, turn: .idle) == ["ask - -"])
    // The answer to a question from before says nothing.
    let next = (stillness.poolAnswered(1), stillness.mainQueueAnswered(1))
    #expect(next == (2, 2))
    _ = ticks(1, turn: .idle)
    #expect(stillness.quiet == 0)
    answered(2)
    #expect(stillness.quiet == 1)
    stillness.restart()
    // The last question was the third, and was asked.
    answered(3)
    #expect(stillness.quiet == 0)
    #expect(ticks(1, turn: .idle) == ["goes on"])
  }

  @Test mutating func `is no idleness where something happened in between`() {
    _ = ticks(1, turn: .idle)
    for question in 1...20 {
      answered(UInt64(question), changes: UInt64(question / 3))
      #expect(stillness.idle <= 3)
    }
    #expect(stillness.quiet > 9)
  }

  @Test mutating func `is no idleness while a job runs, or one stands in the queue`() {
    _ = ticks(1, turn: .idle)
    for question in 1...3 { answered(UInt64(question)) }
    _ = ticks(1, taken: 7)
    #expect(stillness.idle == 0)
    #expect(ticks(9, taken: 7).contains("quiet"))
    #expect(!stillness.isIdle)
  }

  @Test func `asks a queue one question at a time, and the last one at the end`() {
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

  @Test mutating func `is one job that keeps the turn`() {
    #expect(ticks(20, taken: 7) == ["goes on", "quiet"])
  }

  @Test(arguments: [true, false])
  mutating func `is none while its thread waits for a processor`(isOneJob: Bool) {
    for tick in 0..<1_000 {
      let waited = self.waited(50 * tick, after: 50 * tick)
      let jobs = isOneJob ? 7 : UInt64(tick)
      #expect(ticks(1, taken: jobs, rounds: jobs, waited: waited) == ["goes on"])
    }
    #expect(stillness.quiet < 10)
  }

  @Test mutating func `is seen though its thread has a processor for a fifth of the time only`() {
    var verdicts: Set<String> = []
    for tick in 0..<60 {
      // A thread that has no turn between two wake-ups of three, which come late, too.
      let jobs = UInt64(tick / 3)
      let waited = self.waited(80 * tick, after: 100 * tick)
      verdicts.formUnion(
        ticks(1, taken: jobs, rounds: 2 * jobs, turn: turn(tick), waited: waited))
    }
    #expect(!verdicts.contains("quiet"))
    for tick in 60..<180 {
      let jobs = UInt64(tick / 3)
      let waited = self.waited(80 * tick, after: 100 * tick)
      verdicts.formUnion(
        ticks(1, taken: jobs, rounds: 2 * jobs, turn: turn(tick), waited: waited))
    }
    #expect(verdicts == ["goes on", "quiet"])
  }

  /// A thread has the turn at each third wake-up.
  private func turn(_ tick: Int) -> VirtualState.Turn {
    tick.isMultiple(of: 3) ? .thread(3, number: 3) : .pool
  }

  @Test mutating func `does not mistake what another thread waited`() {
    var verdicts: Set<String> = []
    for tick in 0..<20 {
      let waited = self.waited(50 * tick, after: 50 * tick, thread: UInt32(tick))
      verdicts.formUnion(ticks(1, taken: 7, waited: waited))
    }
    #expect(verdicts.contains("quiet"))
  }

  @Test mutating func `never ends the scope of whoever asks for no limit that matters`() {
    for limit in [1e15, 1.7e20] {
      stillness = Stillness(limit: .seconds(limit), patience: .seconds(limit))
      #expect(ticks(10_000, taken: 7) == ["goes on"])
      #expect(ticks(10_000, taken: 7, turn: .pool) == ["goes on"])
      #expect(stillness.starvedOf == nil)
    }
  }
}

extension Stillness.Verdict {
  fileprivate var name: String {
    switch self {
    case .goesOn: "goes on"
    case .ask(let pool, let main):
      "ask \(pool.map(String.init) ?? "-") \(main.map(String.init) ?? "-")"
    case .quiet: "quiet"
    case .deadlock: "deadlock"
    case .endless: "endless"
    }
  }
}
