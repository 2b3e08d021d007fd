import Testing

@testable import Ambient

/// What counts as a wake-up in which a scope stood still, without a thread that waits for real.
struct `The stillness of a scope` {
  /// Ten wake-ups are too many.
  var stillness = Stillness(limit: .milliseconds(500))

  /// The verdicts over so many wake-ups at which the scope looks alike.
  private mutating func ticks(
    _ count: Int, taken: UInt64 = 0, added: UInt64 = 0, isDraining: Bool = true,
    waited: Stillness.Waited? = nil
  ) -> Set<String> {
    var verdicts: Set<String> = []
    for _ in 0..<count {
      let verdict = stillness.tick(
        taken: taken, added: added, isDraining: isDraining, waited: waited)
      verdicts.insert(verdict.name)
      if verdict == .quiet || verdict == .starved { break }
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
    for progress in 1...100 {
      stillness.progress = UInt64(progress)
      #expect(ticks(5) == ["goes on"])
    }
    #expect(ticks(20).contains("quiet"))
  }

  @Test mutating func `is not counted while a scope within is open`() {
    stillness.nested = 1
    #expect(ticks(1_000) == ["goes on"])
    stillness.nested = 0
    #expect(ticks(20).contains("quiet"))
  }

  @Test mutating func `is not counted while the pool has no thread, which is told once`() {
    stillness.waitsForThread = true
    #expect(ticks(1_190) == ["goes on"])
    #expect(ticks(20) == ["goes on", "starved"])
    #expect(ticks(10_000) == ["goes on"])
    stillness.waitsForThread = false
    #expect(stillness.quiet == 0)
  }

  @Test mutating func `is not counted until each job in the queue had a turn`() {
    #expect(ticks(100, taken: 5, added: 10) == ["goes on"])
    #expect(stillness.quiet == 1)
    #expect(ticks(100, taken: 9, added: 12) == ["goes on"])
    #expect(stillness.quiet == 1)
    #expect(ticks(1, taken: 10, added: 20) == ["goes on"])
    #expect(stillness.quiet == 2)
  }

  @Test mutating func `is not counted until the pool and the main queue have answered`() {
    #expect(ticks(1, isDraining: false) == ["probe"])
    #expect(ticks(100, isDraining: false) == ["goes on"])
    #expect(stillness.quiet == 0)
    stillness.answered = 1
    #expect(ticks(1, isDraining: false) == ["probe"])
    #expect(stillness.quiet == 1)
    #expect(ticks(100, isDraining: false) == ["goes on"])
    #expect(stillness.quiet == 1)
  }

  @Test mutating func `is one job that keeps the turn`() {
    stillness.isRunning = true
    #expect(ticks(20, taken: 7, added: 9) == ["goes on", "quiet"])
  }

  @Test(arguments: [true, false])
  mutating func `is none while its thread waits for a processor`(isOneJob: Bool) {
    stillness.isRunning = isOneJob
    for tick in 0..<1_000 {
      let waited = self.waited(50 * tick, after: 50 * tick)
      let jobs = isOneJob ? 7 : UInt64(tick)
      #expect(ticks(1, taken: jobs, added: jobs, waited: waited) == ["goes on"])
    }
    #expect(stillness.quiet < 10)
  }

  @Test mutating func `is seen though its thread has a processor for a fifth of the time only`() {
    var verdicts: Set<String> = []
    for tick in 0..<60 {
      // A thread that has no turn between two wake-ups of three, which come late, too.
      let jobs = UInt64(tick / 3)
      let waited = self.waited(80 * tick, after: 100 * tick)
      verdicts.formUnion(ticks(1, taken: jobs, added: jobs + 1, waited: waited))
    }
    #expect(!verdicts.contains("quiet"))
    for tick in 60..<180 {
      let jobs = UInt64(tick / 3)
      let waited = self.waited(80 * tick, after: 100 * tick)
      verdicts.formUnion(ticks(1, taken: jobs, added: jobs + 1, waited: waited))
    }
    #expect(verdicts == ["goes on", "quiet"])
  }

  @Test mutating func `does not mistake what another thread waited`() {
    stillness.isRunning = true
    var verdicts: Set<String> = []
    for tick in 0..<20 {
      let waited = self.waited(50 * tick, after: 50 * tick, thread: UInt32(tick))
      verdicts.formUnion(ticks(1, taken: 7, waited: waited))
    }
    #expect(verdicts.contains("quiet"))
  }

  @Test mutating func `never ends the scope of whoever asks for no limit that matters`() {
    stillness = Stillness(limit: .seconds(1e15))
    stillness.isRunning = true
    #expect(ticks(10_000, taken: 7) == ["goes on"])
  }
}

extension Stillness.Verdict {
  fileprivate var name: String {
    switch self {
    case .goesOn: "goes on"
    case .probe: "probe"
    case .quiet: "quiet"
    case .starved: "starved"
    }
  }
}
