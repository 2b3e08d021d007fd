import Foundation
import Testing

@testable import Ambient

/// What the watch finds in a scope at its wake-ups, without a thread that waits for real.
@Suite struct `The state of a scope that stands still` {
  private let place = SteppedScope.place

  @Test func `is a deadlock after its patience, and left after as long again if it was told`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      let child = scope.state.beginTask(
        ScopeMembers.Child(place, "child", isBackground: false), by: 0)
      scope.state.startTask(child) {}
      #expect(scope.ticks(5) == ["ask", "ask", "ask", "ask", "deadlock, cancels 2"])
      scope.state.noteTold()
      scope.sleep(10)
      #expect(scope.ticks(5) == ["ask", "ask", "ask", "ask", "leave opener 1 []"])
      #expect(scope.state.hasEnded)
      #expect(scope.ticks(20).allSatisfy { $0 == "-" })
    }
  }

  @Test func `is a deadlock only if nothing happens in between`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      #expect(scope.ticks(4).last == "ask")
      _ = scope.state.noteChange()
      #expect(scope.step() == "none")
      #expect(scope.ticks(4) == ["ask", "ask", "ask", "ask"])
      #expect(scope.tick() == "-", "no answer has come")
      #expect(scope.ticks(1) == ["deadlock, cancels 1"])
    }
  }

  @Test func `is no deadlock where none awaits its body, a hold is open, or it ends`() async throws
  {
    for way in 0..<4 {
      try await SteppedScope.with { scope in
        if way > 0 { scope.awaitBody() }
        if way == 1 { _ = scope.state.beginHold(place, of: 0) }
        if way == 2 { scope.awaitEnd() }
        if way == 3 { scope.request(.settle, sleepers: 1) }
        let expected = [
          "stalled, cancels 0", "stalled, cancels 1", "stalled, cancels 1",
          "unsatisfied: missing sleepers",
        ]
        #expect(scope.ticks(11) == Array(repeating: "ask", count: 10) + [expected[way]])
      }
    }
  }

  @Test func `is a stall after a deadlock that was not told, and then no third`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      #expect(scope.ticks(5).last == "deadlock, cancels 1")
      let deadlock = scope.state.error
      #expect(scope.ticks(11) == Array(repeating: "ask", count: 10) + ["stalled, cancels 1"])
      #expect(deadlock != nil && scope.state.error == deadlock, "the first one counts")
      // The deadlock was told, but not the stall.
      #expect(scope.ticks(30).allSatisfy { $0 == "ask" || $0 == "-" })
      scope.state.noteTold()
      #expect(scope.ticks(1).last == "leave opener 0 []")
    }
  }

  @Test func `is to be told anew when a stall follows a deadlock that was told`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      #expect(scope.ticks(5).last == "deadlock, cancels 1")
      scope.state.noteTold()
      scope.takeTurn()
      #expect(scope.ticks(11).last == "stalled, cancels 1")
      #expect(scope.ticks(15).allSatisfy { $0 == "-" })
      scope.state.noteTold()
      #expect(scope.ticks(1) == ["leave opener 0 []"])
    }
  }

  @Test func `is left half a second after it was told that it has stalled`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      let bare = scope.job(.pool)
      scope.take(bare, isBare: true)
      scope.takeTurn()
      #expect(scope.ticks(11) == Array(repeating: "-", count: 10) + ["stalled, cancels 1"])
      scope.state.noteTold()
      #expect(
        scope.ticks(10) == Array(repeating: "-", count: 9) + ["leave opener 0 [\(bare.task)]"])
      let isFree = scope.state.noteChange()
      #expect(isFree)
    }
  }

  @Test func `is left ten seconds after it has stalled though none was told`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.takeTurn()
      _ = scope.ticks(11)
      #expect(scope.ticks(199).allSatisfy { $0 == "-" })
      #expect(scope.ticks(1) == ["leave opener 0 []"])
    }
  }

  @Test func `is left with who awaits its end, whatever stands in its queue`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody(mayLeave: false)
      #expect(scope.state.endBody() != nil)
      scope.awaitEnd()
      scope.state.passTurn()
      #expect(scope.ticks(1) == ["-"])
      scope.takeTurn()
      #expect(scope.ticks(11).last == "stalled, cancels 0")
      scope.state.noteTold()
      scope.sleep(1)
      scope.request(.settle, sleepers: 9)
      scope.state.passTurn()
      // The pool has not come to it, so this does not count.
      #expect(scope.ticks(20).allSatisfy { $0 == "-" })
      scope.takeTurn()
      #expect(scope.ticks(11).last == "leave end 2 []")
    }
  }

  @Test func `keeps its turn in the pool's queue when it is left`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.takeTurn()
      #expect(scope.ticks(11).last == "stalled, cancels 1")
      scope.state.noteTold()
      #expect(scope.ticks(9).allSatisfy { $0 == "-" })
      let job = scope.job()
      for _ in 0..<2 { scope.take(job) }
      _ = scope.steps(2)
      scope.state.passTurn()
      // Two rounds are over, so this wake-up counts.
      #expect(scope.ticks(1) == ["leave opener 0 []"])
      let isFree = scope.state.noteChange()
      #expect(!isFree)
    }
  }

  @Test func `is not left where its test is waited for, nor before its body is awaited`()
    async throws
  {
    for awaits in [true, false] {
      try await SteppedScope.with { scope in
        if awaits { scope.awaitBody(mayLeave: false) }
        scope.takeTurn()
        _ = scope.ticks(11)
        scope.state.noteTold()
        #expect(scope.state.wakeUpsSinceVerdict == 0)
        #expect(scope.ticks(300).allSatisfy { $0 == "-" })
        #expect(scope.state.wakeUpsSinceVerdict == 300)
        #expect(!scope.state.hasEnded)
      }
    }
  }

  @Test func `after a deadlock says no more where its test is waited for`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody(mayLeave: false)
      #expect(scope.ticks(5).last == "deadlock, cancels 1")
      scope.state.noteTold()
      #expect(scope.ticks(50).allSatisfy { $0 == "ask" || $0 == "-" })
    }
  }

  @Test func `ends before what stands in its queue when it has stalled, and else after`()
    async throws
  {
    for stalls in [true, false] {
      try await SteppedScope.with { scope in
        scope.takeTurn()
        if stalls { #expect(scope.ticks(11).last == "stalled, cancels 0") }
        scope.awaitEnd()
        let job = scope.job()
        scope.take(job)
        let (run, cancel) = ("run \(job.task)", "cancel 0 0")
        #expect(scope.steps(3) == (stalls ? [cancel, run] : [run, cancel]) + ["end []"])
        #expect(scope.step() == "none")
      }
    }
  }

  @Test func `counts its wake-ups since the verdict, but for those in which it goes on`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.state.takeTurn(SystemThread.current, number: 7)
      _ = scope.ticks(11)
      scope.state.noteTold()
      #expect(scope.ticks(3).last == "-")
      #expect(scope.state.wakeUpsSinceVerdict == 3)
      // Time goes on.
      let wait = scope.sleep(1)
      #expect(scope.state.cancel(wait.id) != nil)
      _ = scope.ticks(1)
      #expect(scope.state.wakeUpsSinceVerdict == 0)
      _ = scope.ticks(3)
      #expect(scope.state.wakeUpsSinceVerdict == 3)
      #expect(scope.ticks(10).contains("leave opener 0 []"))
      let left = scope.state.wakeUpsSinceVerdict
      // One for each while its thread is blocked in a job.
      for _ in 0..<3 { _ = scope.tick() }
      #expect(scope.state.wakeUpsSinceVerdict == left + 3)
      #expect(scope.step() == "none")
      for _ in 0..<3 { _ = scope.tick() }
      #expect(scope.state.wakeUpsSinceVerdict == left + 3, "the thread has come back")
      let job = scope.job()
      scope.take(job)
      #expect(scope.step() == "run \(job.task)")
      _ = scope.tick()
      #expect(scope.state.wakeUpsSinceVerdict == 0)
    }
  }

  @Test func `goes on where a sleep is cancelled, as where time passes`() async throws {
    try await SteppedScope.with { scope in
      scope.takeTurn()
      #expect(scope.ticks(10).last == "-")
      let wait = scope.sleep(1)
      #expect(scope.state.cancel(wait.id) != nil)
      #expect(scope.ticks(10).allSatisfy { $0 == "-" })
      #expect(scope.ticks(1) == ["stalled, cancels 0"])
    }
  }

  @Test func `waits for the main queue only where its body or a holder may be there`()
    async throws
  {
    for way in 0..<3 {
      try await SteppedScope.with { scope in
        let body = scope.begin()
        scope.takeTurn()
        #expect(scope.step() == "run \(body.task)")
        #expect(scope.step() == "none")
        if way == 1 { _ = scope.state.beginHold(place, of: 0) }
        if way == 2 { scope.state.noteCaller(body.task) }
        #expect(scope.tick() == "ask")
        _ = scope.state.poolAnswered(1)
        #expect(scope.tick() == (way == 0 ? "ask" : "-"), "\(way)")
      }
    }
  }

  @Test func `fails its advance first, with what that waits for, and then itself`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.sleep(5)
      for _ in 0..<2 { scope.request(.settle, sleepers: 2) }
      #expect(scope.ticks(11).last == "unsatisfied: missing sleepers")
      #expect(scope.ticks(11).last == "stalled, cancels 1")
    }
  }

  @Test func `fails an advance as stalled where a hold is open, or enough sleep`() async throws {
    for isHeld in [true, false] {
      try await SteppedScope.with { scope in
        scope.sleep(5)
        scope.request(.settle, sleepers: isHeld ? 2 : 1)
        if isHeld { _ = scope.state.beginHold(place, of: 0) }
        #expect(scope.ticks(11).last == "unsatisfied: stalled")
      }
    }
  }

  @Test func `is starved after a minute, but not while it is told to end`() async throws {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      scope.state.passTurn()
      _ = scope.ticks(1_199)
      #expect(scope.state.starvedOf == nil)
      _ = scope.ticks(1)
      #expect(scope.state.starvedOf == .pool)
      scope.takeTurn()
      #expect(scope.ticks(11).last == "stalled, cancels 1")
      scope.state.passTurn()
      _ = scope.ticks(1_200)
      #expect(scope.state.starvedOf == nil)
      scope.takeTurn()
      scope.state.noteTold()
      #expect(scope.ticks(11).last?.hasPrefix("leave opener") == true)
      scope.state.passTurn()
      _ = scope.ticks(1_200)
      #expect(scope.state.starvedOf == .pool)
    }
  }

  @Test func `is said once to go on for long, unless it is told to end`() async throws {
    for stalls in [true, false] {
      try await SteppedScope.with { scope in
        if stalls {
          scope.takeTurn()
          #expect(scope.ticks(11).last == "stalled, cancels 0")
        }
        var findings: [String] = []
        for _ in 0..<1_300 {
          let wait = scope.sleep(1)
          _ = scope.state.cancel(wait.id)
          findings += scope.ticks(1)
        }
        #expect(findings.firstIndex(of: "endless") == (stalls ? nil : 1_199))
        #expect(findings.count { $0 == "endless" } == (stalls ? 0 : 1))
      }
    }
  }

  /// Who waits, in a deadlock.
  private func waiting(
    _ advances: VirtualTime.Advances = .byItself, after body: (inout SteppedScope) -> Void
  ) async throws -> [String] {
    var waiting: [String] = []
    try await SteppedScope.with(advances) { scope in
      scope.awaitBody()
      body(&scope)
      _ = scope.ticks(5)
      guard case .deadlock(let list) = scope.state.error else { return }
      waiting = list
    }
    return waiting
  }

  @Test func `says who waits, and why its body does`() async throws {
    let body = "the body of the scope at Tests/Stepped.swift:7"
    let sleeper = """
      Tests/Stepped.swift:7 sleeps for 5.0 seconds until 2001-01-01T00:00:05.000Z, since uptime \
      0.0 seconds
      """
    #expect(try await waiting { _ in } == [body])
    #expect(try await waiting(.byHand) { _ in } == [body])
    #expect(try await waiting { $0.sleep(5) } == [body, sleeper])
    #expect(
      try await waiting(.byHand) { $0.sleep(5) } == [
        "\(body) (time advances by hand only, and nothing advances it)", sleeper,
      ])
    #expect(
      try await waiting { scope in
        let job = scope.begin()
        scope.takeTurn()
        _ = scope.steps(2)
        scope.state.noteCaller(job.task)
      } == [
        """
        \(body) (it waits on the main actor, or elsewhere outside the scope, and nothing advances \
        time), since uptime 0.0 seconds
        """
      ])
  }

  @Test func `names no hold that has ended`() async throws {
    try await SteppedScope.with { scope in
      let holds = [1, 2, 3].map { (line: UInt) in
        scope.state.beginHold(SourcePlace(fileID: "Tests/Hold.swift", line: line), of: 0)
      }
      scope.state.endHold(holds[1])
      let account = scope.state.account
      #expect(
        account.contains(
          """
          a hold at Tests/Hold.swift:1, since uptime 0.0 seconds; a hold at Tests/Hold.swift:3, \
          since uptime
          """))
      #expect(!account.contains("Hold.swift:2"))
    }
  }

  @Test func `names its children in the order of their start, and the job that runs`()
    async throws
  {
    try await SteppedScope.with { scope in
      let body = scope.begin()
      let children = (1...3).map { number in
        scope.state.beginTask(
          ScopeMembers.Child(place, "\(number)", isBackground: false), by: 0)
      }
      let first = scope.begin(children[0])
      scope.state.startTask(children[0]) {}
      scope.takeTurn()
      #expect(scope.steps(2) == ["run \(body.task)", "run \(first.task)"])
      _ = scope.ticks(1)
      let text = scope.state.account
      let name = "Time.task “1” at Tests/Stepped.swift:7"
      #expect(
        text.hasPrefix(
          """
          the scope at Tests/Stepped.swift:7: the body of the scope at Tests/Stepped.swift:7, \
          since uptime 0.0 seconds; \(name) that runs, or blocks its thread
          """), "\(text)")
      #expect(text.hasSuffix("; Time.task “2” at \(place); Time.task “3” at \(place)"), "\(text)")
      #expect(text.split(separator: "“1”").count == 2, "it is named once")
      scope.state.endTask(children[1], error: nil)
      #expect(!scope.state.account.contains("“2”"))
    }
  }
}
