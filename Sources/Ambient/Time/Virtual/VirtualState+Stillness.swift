extension VirtualState {
  enum StillnessStep {
    /// The pool and the main queue are to be asked for a sign of life.
    case probe(UInt64)
    /// The pool, or the main queue, has kept the scope waiting for long.
    case starved(SourcePlace?)
    /// Advances wait for sleepers, or for a hold, in vain: they fail.
    case unsatisfied(VirtualTimeError, [VirtualRequest])
    /// Nothing has gone on for too long: who is told, and who is cancelled.
    case stalled(VirtualTimeError, Body?, [Child])
    /// Nor did that help: whoever awaits the scope goes on without it, and bare tasks are released.
    case leave(
      CheckedContinuation<Bool, Never>?,
      ending: (continuation: CheckedContinuation<[Sleeper], Never>, leftovers: [Sleeper])?,
      adopted: Set<UInt64>)
  }

  /// How often a scope must be seen to stand still after its tasks were cancelled, until it is
  /// left: half a second, or more while nobody has come to be told.
  private var grace: Double { stillness.isReported ? 10 : 200 }

  /// The thread that has the turn, if nothing went on at the last wake-up of the watch.
  var threadInQuestion: UInt32? {
    isDraining && !stillness.waitsForThread && stillness.quiet > 0 && drainingNumber != 0
      ? drainingNumber : nil
  }

  /// A wake-up of the watch.
  mutating func tick(waited: Stillness.Waited?) -> StillnessStep? {
    if case .ended = phase { return nil }
    let wasStillRunning = stillness.isStillRunning(jobs.taken)
    let verdict = stillness.tick(
      taken: jobs.taken, added: jobs.added, isDraining: isDraining, waited: waited)
    if stillness.isFound, stillness.quiet >= grace, let step = leave() { return step }
    if case .probe(let number) = verdict { return .probe(number) }
    if stillness.isFound { return nil }
    if verdict == .starved { return .starved(place) }
    guard verdict == .quiet else { return nil }
    // A deadlock has been told, and the body must be waited for.
    if deadlock != nil, body?.mayBeLeft == false { return nil }
    stillness.restart()
    let error = VirtualTimeError.stalled(
      after: stillness.limit, waiting: whoWaits(isStillRunning: wasStillRunning))
    if !isDraining, !requests.isEmpty, stillness.mayFailRequests() { return failRequests(error) }
    stillness.isFound = true
    deadlock = deadlock ?? error
    return .stalled(error, body, children.sorted { $0.key < $1.key }.map(\.value))
  }

  /// Code that advances time can take an error, and do what it likes then.
  private mutating func failRequests(_ error: VirtualTimeError) -> StillnessStep {
    defer { requests = [] }
    holds += requests.count { $0.releasedHold }
    era += 1
    return .unsatisfied(error, requests)
  }

  private mutating func leave() -> StillnessStep? {
    if let body {
      guard body.mayBeLeft else { return nil }
      bodyHasEnded = true
      phase = .ended
      return .leave(takeBodyAwaiter(), ending: nil, adopted: takeAdopted())
    }
    switch phase {
    case .ending(let waiting), .cancelled(let waiting, _, _):
      // Sleepers stay where they are: to wake them would take a turn, which nobody has.
      phase = .ended
      return .leave(nil, ending: (waiting, sleepers.sleepers), adopted: takeAdopted())
    case .running, .ended: return nil
    }
  }

  /// Who runs, holds, sleeps or waits, and since when.
  private func whoWaits(isStillRunning: Bool) -> [String] {
    let runner = isStillRunning ? departures.runner : nil
    var waiting: [String] = []
    if !bodyHasEnded, runner == nil || runner != bodyJobTask { waiting.append(bodyDescription) }
    if let runner {
      let name = runner == 0 ? "a task" : name(of: runner)
      waiting.append(
        "\(name) that runs, or blocks its thread (a semaphore, an endless loop), all that while")
    } else if isDraining {
      waiting.append("tasks that run again and again (a loop of Task.yield, perhaps)")
    }
    waiting += holders.sorted { $0.key < $1.key }
      .map { "a hold at \($0.value.caller) since \($0.value.start)" }
    waiting += requests.map { request in
      let missing = sleepers.count < request.sleepers
      return missing
        ? """
        an advance since \(request.start), until \(request.sleepers) sleep, while \
        \(sleepers.count) do
        """ : "an advance since \(request.start)"
    }
    waiting += children.sorted { $0.key < $1.key }.map(\.value)
      .filter { runner == nil || runner == 0 || runner != $0.task }.map(\.description)
    return waiting + sleepers.sleepers.map { "\($0), since \($0.start)" }
  }
}
