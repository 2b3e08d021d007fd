// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import Testing

@testable import AmbientVirtualTime

/// Step by step, with no thread that runs it.
@Suite struct `Scope state` {
  @Test func `a scope runs its jobs in order of arrival and then releases its thread`()
    async throws
  {
    try await SteppedScope.with { scope in
      let jobs = (0..<3).map { _ in scope.job() }
      var isFree = (0..<2).map { _ in scope.state.noteChange() }
      scope.takeTurn()
      isFree.append(scope.state.noteChange())
      let isTaken = jobs.map { scope.take($0) }
      #expect(isTaken == [true, true, true])
      #expect(scope.steps(4) == jobs.map { "run \($0.task)" } + ["none"])
      isFree.append(scope.state.noteChange())
      #expect(isFree == [true, false, false, true])
    }
  }

  @Test func `if a scope's body waits outside the scope, the deadlock error says so`() async throws
  {
    try await SteppedScope.with { scope in
      scope.awaitBody()
      let job = scope.begin()
      scope.takeTurn()
      _ = scope.steps(2)
      scope.state.noteCaller(job.task)
      _ = scope.ticks(5)
      let waiting = try #require(scope.state.failure?().deadlocked)
      #expect(waiting.count == 1)
      #expect(waiting[0].contains(ScopeSnapshot.foreign), "\(waiting)")
    }
  }

  @Test func `a scope gives way to other code after running a thousand jobs`() async throws {
    try await SteppedScope.with { scope in
      scope.takeTurn()
      _ = scope.ticks(2)
      #expect(scope.state.threadInQuestion == 7)
      let job = scope.job()
      for _ in 0..<1_001 { scope.take(job) }
      #expect(Set(scope.steps(1_000)) == ["run \(job.task)"])
      #expect(scope.step() == "give way")
      #expect(scope.state.threadInQuestion == nil)
      scope.takeTurn()
      #expect(scope.steps(2) == ["run \(job.task)", "none"])
    }
  }

  @Test func `VirtualState names the scope's current thread only if the scope makes no progress`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.takeTurn()
      #expect(scope.state.threadInQuestion == nil)
      _ = scope.ticks(2)
      #expect(scope.state.threadInQuestion == 7)
      scope.take(scope.job(.scope))
      scope.take(scope.job(.pool))
      scope.take(scope.job(.mainQueue))
      _ = scope.steps(2)
      #expect(scope.state.threadInQuestion == 7)
      _ = scope.step()
      #expect(scope.state.threadInQuestion == nil, "the main queue has it")
      scope.state.takeTurn(1, number: 0)
      #expect(scope.state.threadInQuestion == nil, "its number is not known")
      scope.takeTurn()
      #expect(scope.state.threadInQuestion == 7)
      scope.state.passTurn()
      #expect(scope.state.threadInQuestion == nil, "the pool has it")
    }
  }

  @Test func `an ended scope refuses jobs of bare Tasks and runs other jobs`() async throws {
    try await SteppedScope.with { scope in
      let bare = scope.job(.pool)
      var isTaken = [scope.take(bare, isBare: true)]
      #expect(!scope.state.hasEnded)
      scope.awaitEnd()
      let names = ["run \(bare.task)", "cancel 0 0", "end [\(bare.task)]", "none"]
      scope.takeTurn()
      #expect(scope.steps(4) == names)
      #expect(scope.state.hasEnded)
      isTaken.append(scope.take(bare, isBare: true))
      #expect(scope.step() == "none")
      isTaken.append(scope.take(bare))
      #expect(isTaken == [true, false, true])
      #expect(scope.steps(2) == ["run \(bare.task)", "none"])
    }
  }

  @Test func `a scope probes each new enqueue hook until another library's hook has taken jobs`()
    async throws
  {
    try await SteppedScope.with { scope in
      var asks = [1, 1, 2, 1].map { scope.state.mustAsk($0) }
      scope.state.noteOthersHook("a hook")
      asks.append(scope.state.mustAsk(3))
      #expect(asks == [true, false, true, true, false])
      #expect(scope.state.othersHook == "a hook")
    }
  }

  /// Whether a task is said to have left that comes back so.
  private func isTold(
    _ advances: VirtualTime.Advances = .byItself, _ origin: JobOrigin = .unknown,
    isInTurn: Bool = false, after body: (inout SteppedScope) -> Void
  ) async throws -> Bool {
    var isTold = false
    try await SteppedScope.with(advances) { scope in
      scope.takeTurn()
      body(&scope)
      scope.take(scope.job(), origin, isInTurn: isInTurn)
      isTold = scope.step().hasSuffix(", which left")
    }
    return isTold
  }

  @Test func `if other tasks sleep, a task that returns to its scope from outside is reported`()
    async throws
  {
    #expect(try await isTold { $0.sleep(10) })
    #expect(try await !isTold { _ in })
    #expect(try await !isTold(.byItself, .own) { $0.sleep(10) })
    #expect(try await !isTold(.byItself, .start(3)) { $0.sleep(10) })
    #expect(try await !isTold(isInTurn: true) { $0.sleep(10) })
  }

  @Test func `if virtual time couldn't pass, a task that returns to its scope isn't reported`()
    async throws
  {
    #expect(try await !isTold(.byHand) { $0.sleep(10) })
    #expect(
      try await isTold(.byHand) {
        $0.sleep(10)
        $0.request(.settle, sleepers: 1)
      })
    #expect(
      try await !isTold {
        $0.sleep(10)
        $0.request(.settle, sleepers: 2)
      })
    #expect(
      try await !isTold {
        $0.sleep(10)
        _ = $0.state.beginHold(SteppedScope.place, of: 0)
      })
  }

  @Test func `a task that returns to an ending scope isn't reported`()
    async throws
  {
    var finding: String?
    #expect(
      try await !isTold { scope in
        scope.sleep(10)
        scope.awaitBody()
        finding = scope.ticks(11).last
      })
    #expect(finding == "stalled, cancels 1")
    #expect(
      try await !isTold {
        $0.sleep(10)
        $0.awaitEnd()
      })
    #expect(
      try await !isTold {
        $0.sleep(10)
        $0.state.noteCancelled()
      })
  }
}

@Suite struct `Scope state while its body is outside` {
  @Test func `a scope recognizes its body by the body's task number`() async throws {
    try await SteppedScope.with { scope in
      // Before the body begins, its number is zero, too.
      var isBody = [scope.state.noteCaller(0)]
      let body = scope.begin()
      let other = scope.job()
      isBody += [body.task, other.task, 0].map { scope.state.noteCaller($0) }
      #expect(isBody == [false, true, false, false])
    }
  }

  @Test
  func `while a scope's body is outside, virtual time waits until the body's next job runs`()
    async throws
  {
    try await SteppedScope.with { scope in
      let (body, other) = (scope.begin(), scope.job())
      scope.takeTurn()
      scope.sleep(10)
      scope.state.noteCaller(body.task)
      #expect(scope.steps(2) == ["run \(body.task)", "resume true"], "that job brought it back")
      scope.sleep(10)
      scope.state.noteCaller(body.task)
      #expect(scope.step() == "none")
      scope.take(other)
      #expect(scope.steps(2) == ["run \(other.task)", "none"])
      scope.take(body)
      #expect(scope.steps(2) == ["run \(body.task)", "resume true"])
    }
  }

  @Test func `a scope's body that runs on the scope's current thread counts as inside the scope`()
    async throws
  {
    try await SteppedScope.with { scope in
      let body = scope.begin()
      scope.state.takeTurn(SystemThread.current, number: 7)
      _ = scope.step()
      scope.sleep(10)
      scope.state.noteCaller(body.task)
      #expect(scope.step() == "resume true")
      scope.takeTurn()
      scope.sleep(10)
      scope.state.noteCaller(body.task)
      #expect(scope.step() == "none")
      scope.state.takeTurn(SystemThread.current, number: 7)
      scope.state.noteCaller(body.task)
      #expect(scope.step() == "resume true")
    }
  }

  @Test
  func `while a scope's body runs outside, virtual time passes only during the body's sleeps`()
    async throws
  {
    try await SteppedScope.with { scope in
      let body = scope.begin()
      scope.takeTurn()
      _ = scope.step()
      scope.sleep(10)
      let wait = scope.sleep(5, of: body.task)
      #expect(wait.isBody && wait.isForeign)
      #expect(scope.steps(2) == ["resume true", "none"])
      #expect(scope.state.now == .seconds(5))
      // A job on the way back to where it waited, not into the scope.
      scope.take(body)
      #expect(scope.steps(2) == ["run \(body.task)", "none"])
      scope.state.endWait(wait, isCancelled: false)
      scope.take(body)
      #expect(scope.steps(2) == ["run \(body.task)", "resume true"])
      #expect(scope.state.now == .seconds(10))
    }
  }

  @Test func `another task's wait doesn't count as a wait of the scope's body`() async throws {
    try await SteppedScope.with { scope in
      let body = scope.begin()
      scope.takeTurn()
      _ = scope.step()
      let early = scope.state.beginWait(of: scope.job().task)
      #expect(!early.isBody && !early.isForeign)
      scope.state.noteCaller(body.task)
      scope.sleep(5, of: scope.job().task)
      #expect(scope.step() == "none")
      scope.take(body)
      #expect(scope.steps(2) == ["run \(body.task)", "resume true"])
      scope.state.takeTurn(SystemThread.current, number: 7)
      let wait = scope.state.beginWait(of: body.task)
      #expect(wait.isBody && !wait.isForeign)
    }
  }

  @Test func `if a scope's body starts a Time.hold or task outside the scope, virtual time stops`()
    async throws
  {
    for way in 0..<3 {
      try await SteppedScope.with { scope in
        let body = scope.begin()
        scope.takeTurn()
        _ = scope.step()
        scope.sleep(10)
        switch way {
        case 0: scope.state.endHold(scope.state.beginHold(SteppedScope.place, of: body.task))
        case 1:
          _ = scope.state.beginTask(
            ScopeMembers.Child(SteppedScope.place, nil, isBackground: false), by: body.task)
        default:
          let hold = scope.state.beginHold(SteppedScope.place, of: 0)
          scope.state.noteCaller(body.task)
          scope.state.endHold(hold)
        }
        #expect(scope.step() == (way < 2 ? "none" : "resume true"), "\(way)")
      }
    }
  }
}

@Suite struct `Waits in a scope's state` {
  private let place = SteppedScope.place

  /// What a sleep for so many seconds answers at once.
  private func answer(
    _ scope: inout SteppedScope, _ seconds: Int, isCancelled: Bool = false
  ) -> String {
    let wait = scope.state.beginWait(of: 0)
    if isCancelled { #expect(scope.state.cancel(wait.id) == nil) }
    let result = scope.state.sleep(
      wait, until: scope.state.now.plus(.seconds(seconds)), isLimit: false, caller: place,
      task: (0, nil), releasesHold: false, isBackground: false, scope.waits.time)
    return switch result {
    case nil: "sleeps"
    case .success(let isInTime): "\(isInTime)"
    case .failure(let error): "\(type(of: error))"
    }
  }

  @Test func `a virtual time sleep ends at once if due or cancelled, or if the scope has ended`()
    async throws
  {
    try await SteppedScope.with { scope in
      for _ in ["running", "ending"] {
        #expect(answer(&scope, -1) == "true")
        #expect(answer(&scope, 0) == "true")
        #expect(answer(&scope, 1) == "sleeps")
        #expect(answer(&scope, 0, isCancelled: true) == "CancellationError")
        #expect(answer(&scope, 1, isCancelled: true) == "CancellationError")
        #expect(scope.state.isWithoutTrace)
        scope.awaitEnd()
      }
      #expect(scope.step() == "cancel 2 0")
      for _ in ["cancelled", "ended"] {
        #expect(answer(&scope, 0) == "true")
        #expect(answer(&scope, 1) == "false")
        #expect(answer(&scope, 1, isCancelled: true) == "CancellationError")
        _ = scope.step()
      }
    }
  }

  @Test func `an advance of virtual time throws if its task is cancelled or the scope has ended`()
    async throws
  {
    try await SteppedScope.with { scope in
      func refusal(isCancelled: Bool = false) -> String {
        let wait = scope.state.beginWait(of: 0)
        if isCancelled { _ = scope.state.cancel(wait.id) }
        let error = scope.state.request(
          .settle, sleepers: 0, wait, caller: place, releasesHold: false, scope.waits.time)
        return error.map { "\($0)" } ?? "none"
      }
      #expect(refusal() == "none")
      #expect(refusal(isCancelled: true) == "CancellationError()")
      #expect(scope.state.isWithoutTrace)
      scope.awaitEnd()
      #expect(refusal() == "none")
      #expect(scope.step() == "cancel 2 0")
      #expect(refusal() == VirtualTimeError(.ended(caller: place)).description)
    }
  }

  @Test func `a cancelled wait leaves nothing in the scope's state once the wait has ended`()
    async throws
  {
    try await SteppedScope.with { scope in
      let waits = (0..<2).map { _ in scope.state.beginWait(of: 0) }
      for wait in waits { #expect(scope.state.cancel(wait.id) == nil) }
      #expect(!scope.state.isWithoutTrace)
      scope.state.endWait(waits[0], isCancelled: true)
      scope.state.endWait(waits[1], isCancelled: false)
      #expect(!scope.state.isWithoutTrace)
      scope.state.endWait(waits[1], isCancelled: true)
      #expect(scope.state.isWithoutTrace)
    }
  }

  @Test func `cancelling one advance of a scope doesn't affect the scope's other advances`()
    async throws
  {
    try await SteppedScope.with { scope in
      let requests = [1, 2, 4].map { scope.request(.advance(.seconds($0))) }
      #expect(scope.state.cancel(requests[1].id) != nil)
      #expect(scope.state.cancel(requests[1].id) == nil)
      #expect(scope.steps(3) == ["resume true", "resume true", "none"])
      #expect(scope.state.now == .seconds(5))
    }
  }

  @Test func `a sleep or advance within a Time.hold releases the hold until the wait ends`()
    async throws
  {
    try await SteppedScope.with { scope in
      let hold = scope.state.beginHold(place, of: 0)
      scope.sleep(1)
      scope.sleep(3)
      #expect(scope.step() == "none")
      scope.sleep(2, releasesHold: true)
      #expect(scope.steps(3) == ["resume true", "resume true", "none"])
      #expect(scope.state.now == .seconds(2))
      scope.request(.advance(.zero), releasesHold: true)
      #expect(scope.steps(2) == ["resume true", "none"])
      scope.state.endHold(hold)
      #expect(scope.step() == "resume true")
      #expect(scope.state.now == .seconds(3))
    }
  }

  @Test(arguments: [true, false])
  func `when a sleep or advance within a Time.hold is cancelled, the hold stops time again`(
    isSleep: Bool
  ) async throws {
    try await SteppedScope.with { scope in
      let hold = scope.state.beginHold(place, of: 0)
      scope.sleep(1)
      let wait =
        isSleep
        ? scope.sleep(2, releasesHold: true)
        : scope.request(.settle, sleepers: 9, releasesHold: true)
      #expect(scope.state.cancel(wait.id) != nil)
      #expect(scope.step() == "none")
      scope.state.endHold(hold)
      #expect(scope.step() == "resume true")
    }
  }

  @Test func `a single step of virtual time returns whether a sleeper was woken`() async throws {
    try await SteppedScope.with { scope in
      scope.sleep(3)
      for _ in 0..<2 { scope.request(.step) }
      #expect(scope.steps(2) == ["resume true", "resume true"], "the sleeper, and the request")
      #expect(scope.state.now == .seconds(3))
      #expect(scope.steps(2) == ["resume false", "none"])
    }
  }

  @Test
  func `VirtualTime.run throws at its wake-up limit, and ends if only background tasks sleep`()
    async throws
  {
    try await SteppedScope.with { scope in
      for seconds in 1...3 { scope.sleep(seconds) }
      scope.sleep(9, isBackground: true)
      scope.request(.exhaust(2))
      #expect(scope.steps(3) == ["resume true", "resume true", "throw VirtualTimeError"])
      scope.request(.exhaust(1))
      #expect(scope.steps(2) == ["resume true", "resume true"])
      #expect(scope.state.now == .seconds(3))
      scope.request(.exhaust(0))
      #expect(scope.step() == "resume true")
    }
  }

  @Test
  func `when the wall clock is set, an ongoing advance to a date keeps its original duration`()
    async throws
  {
    try await SteppedScope.with { scope in
      scope.sleep(5)
      scope.request(.reach(SteppedScope.start + 10))
      #expect(scope.step() == "resume true")
      scope.state.stepWall(by: .seconds(3))
      #expect(scope.step() == "resume true")
      #expect(scope.state.now == .seconds(10))
      scope.request(.reach(SteppedScope.start + 13))
      #expect(scope.step() == "resume true")
      scope.request(.reach(SteppedScope.start + 12))
      #expect(scope.step() == "throw VirtualTimeError")
      #expect(scope.state.now == .seconds(10))
    }
  }

  @Test func `a timeout fires after a sleep that is due at the same instant`() async throws {
    try await SteppedScope.with { scope in
      let limit = scope.sleep(5, isLimit: true)
      let other = scope.sleep(5)
      scope.sleep(1)
      #expect(scope.steps(2) == ["resume true", "resume true"])
      #expect(scope.state.cancel(other.id) == nil)
      #expect(scope.state.cancel(limit.id) != nil)
    }
  }
}
