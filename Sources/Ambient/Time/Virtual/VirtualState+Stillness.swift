extension VirtualState {
  enum StillnessStep {
    /// The pool, and the main queue, are to be asked a question.
    case ask(pool: UInt64?, mainQueue: UInt64?)
    /// The scope has gone on for so long that it may never end: what to say of that.
    case endless(String)
    /// An advance waits for sleepers, or for a hold, in vain: it fails.
    case unsatisfied(VirtualTimeError, VirtualRequest)
    /// Nothing has gone on for too long: who is told, and who is cancelled.
    case stalled(VirtualTimeError, Body?, [Child])
    /// Nor did that help.
    case leave(Left)
  }

  /// Of a scope that is left: whoever awaits it goes on without it, who waits for time is
  /// cancelled, and bare tasks are released.
  struct Left {
    var awaiter: CheckedContinuation<Bool, Never>?
    var ending: CheckedContinuation<Void, Never>?
    let sleepers: [SleeperQueue.Waiting]
    let requests: [VirtualRequest]
    let adopted: Set<UInt64>
  }

  /// How often a scope must be seen to stand still after its tasks were cancelled, until it is
  /// left: half a second, or more while nobody has come to be told.
  private var grace: Double { stillness.isReported ? 10 : 200 }

  /// The thread that has the turn, if nothing went on at the last wake-up of the watch.
  var threadInQuestion: UInt32? {
    guard stillness.quiet > 0, case .thread(_, let number) = turn, number != 0 else { return nil }
    return number
  }

  /// A wake-up of the watch.
  mutating func tick(waited: Stillness.Waited?) -> StillnessStep? {
    if case .ended = phase { return nil }
    let wasStillRunning = stillness.isStillRunning(begun, turn)
    let verdict = stillness.tick(
      Stillness.Look(
        begun: begun, added: jobs.added, turn: turn, needsMainQueue: bodyIsForeign || holds > 0,
        waited: waited))
    if stillness.isFound, stillness.quiet >= grace, let left = leave() { return .leave(left) }
    if case .ask(let question) = verdict {
      return .ask(
        pool: stillness.pool.ask(question) ? question : nil,
        mainQueue: stillness.mainQueue.ask(question) ? question : nil)
    }
    if stillness.isFound { return nil }
    if verdict == .endless { return .endless(endlessness) }
    guard verdict == .quiet else { return nil }
    // A deadlock has been told, and the body must be waited for.
    if deadlock != nil, body?.mayBeLeft == false { return nil }
    stillness.restart()
    let error = VirtualTimeError.stalled(
      after: stillness.limit, waiting: whoWaits(runner(isStillRunning: wasStillRunning)))
    if case .nobody = turn, !requests.isEmpty, stillness.mayFailRequests() {
      return .unsatisfied(missingSleepers ?? error, takeRequest())
    }
    stillness.isFound = true
    deadlock = deadlock ?? error
    return .stalled(error, body, children.sorted { $0.key < $1.key }.map(\.value))
  }

  /// What the advance whose turn it is waits for, if that is sleepers; not if a hold is open, whose
  /// task may be about to sleep.
  private var missingSleepers: VirtualTimeError? {
    guard holds == 0, let request = requests.first, sleepers.count < request.sleepers else {
      return nil
    }
    return .missingSleepers(
      caller: request.caller, expected: request.sleepers, sleepers: sleepers.sleepers,
      after: stillness.limit)
  }

  private mutating func leave() -> Left? {
    if let body, !body.mayBeLeft { return nil }
    var ending: CheckedContinuation<Void, Never>?
    switch phase {
    case .running where body == nil: return nil
    case .running, .ended: break
    case .ending(let waiting), .cancelled(let waiting, _): ending = waiting
    }
    bodyHasEnded = true
    phase = .ended
    // A thread that is blocked, or the main queue, keeps the turn; what stands behind it goes on.
    if turn != .pool { turn = .nobody }
    defer { requests = [] }
    return Left(
      awaiter: takeBodyAwaiter(), ending: ending, sleepers: takeLeftovers(), requests: requests,
      adopted: takeAdopted())
  }

  private var endlessness: String {
    """
    \(scopeName) has gone on for a minute or more of real time, and virtual time has come to \
    \(wall(at: now).iso8601()). If somebody waits in it for what never comes, a timer, or whoever \
    advances time again and again, hides that. There are \
    \(VirtualTimeError.list(whoWaits())). It goes on; a simulation that takes \
    so long may set a longer limit.
    """
  }

  /// Who has the turn, or had it last, and what it does.
  private func runner(isStillRunning: Bool) -> (task: UInt64, does: String)? {
    if turn == .nobody { return nil }
    return isStillRunning
      ? (
        departures.runner,
        "runs, or blocks its thread (a semaphore, an endless loop), all that while"
      )
      : (
        departures.looper(jobs.taken), "runs again and again (a loop of Task.yield, perhaps)"
      )
  }

  /// Who runs, holds, sleeps or waits, and since when.
  private func whoWaits(_ runner: (task: UInt64, does: String)? = nil) -> [String] {
    func since(_ task: UInt64) -> String {
      departures.lastRun(of: task).map { ", since uptime \($0)" } ?? ""
    }
    var waiting: [String] = []
    if !bodyHasEnded, runner?.task != bodyTask { waiting.append(bodyDescription + since(bodyTask)) }
    if let runner {
      waiting.append("\(name(of: runner.task)) that \(runner.does)\(since(runner.task))")
    }
    waiting += holders.sorted { $0.key < $1.key }
      .map { "a hold at \($0.value.caller), since uptime \($0.value.start)" }
    waiting += requests.map { request in
      let missing = sleepers.count < request.sleepers
      let reason = missing ? ", until \(request.sleepers) sleep, while \(sleepers.count) do" : ""
      return "an advance at \(request.caller), since uptime \(request.start)\(reason)"
    }
    waiting += children.sorted { $0.key < $1.key }.map(\.value)
      .filter { $0.task == 0 || $0.task != runner?.task }
      .map { $0.description + since($0.task) }
    return waiting + sleepers.sleepers.map { "\($0), since uptime \($0.start)" }
  }
}
