extension VirtualTime {
  /// Runs `body` as a task of the scope, and ends the scope with it.
  ///
  /// - Parameters:
  ///   - place: Where the scope is opened.
  ///   - mayLeave: Whether a body that does not end though it is cancelled is left behind.
  ///   - body: What to run.
  ///   - tell: Told what the scope finds, when it finds it.
  /// - Returns: What the body returned or threw, or why the scope ended it; and those who still
  ///   slept then: they were woken with `CancellationError`.
  package func run<R: Sendable>(
    at place: SourcePlace, mayLeave: Bool,
    _ body: sending @escaping (VirtualTime) async throws -> R,
    tell: @escaping @Sendable (ScopeFinding) -> Void
  ) async -> (Result<R, any Error>, leftovers: [Sleeper]) {
    let scheduler = scheduler
    guard scheduler.withState({ $0.stillness.limit > .zero }) else {
      return (.failure(VirtualTimeError.noLimit), [])
    }
    // The scope around, if there is one, must not take this wait for idleness, nor for stillness:
    // this one is watched itself.
    let outer = Time.virtualInForce?.scheduler
    outer?.withState { $0.stillness.nested += 1 }
    let hooks = BareTasks.beginScope()
    ScopeWatch.begin(scheduler)
    defer {
      ScopeWatch.end(scheduler)
      BareTasks.endScope(since: hooks)
      outer?.withState { $0.stillness.nested -= 1 }
    }
    let (findings, teller) = AsyncStream<ScopeFinding>.makeStream()
    scheduler.withState { ($0.place, $0.findings) = (place, teller) }
    // Listens in a task of its own, where the task-locals of whoever called are in force.
    let listener = Task {
      for await finding in findings { tell(finding) }
    }
    let task = start(body)
    return await Time.hold {
      let hasEnded = await withTaskCancellationHandler {
        await scheduler.bodyEnd(mayLeave: mayLeave) { task.cancel() }
      } onCancel: {
        scheduler.withState { $0.departures.isCancelled = true }
        task.cancel()
      }
      if !scheduler.withState({ $0.isLeft }) { await scheduler.end() }
      teller.finish()
      await listener.value
      let (deadlock, leftovers) = scheduler.withState { ($0.deadlock, $0.leftovers) }
      if !hasEnded, let deadlock { return (.failure(deadlock), leftovers) }
      let result = await task.result
      guard let deadlock else { return (result, leftovers) }
      // Being cancelled is what the deadlock led to; another error says more, but not why.
      if case .failure(let error) = result, !(error is CancellationError) {
        if case .deadlock = deadlock { VirtualScheduler.report(deadlock) }
        return (result, leftovers)
      }
      return (.failure(deadlock), leftovers)
    }
  }

  private func start<R: Sendable>(
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) -> Task<R, any Error> {
    let scheduler = scheduler
    let isCancelled = Task.isCancelled
    let mark = Arrival.start(0).begin()
    defer { mark.end() }
    return Task(executorPreference: scheduler) {
      // By itself, since the body may be done before anybody cancels it from here.
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      defer { scheduler.leaveBody() }
      return try await Time.withInstance(self) {
        guard BackgroundTask.isCurrent else { return try await body(self) }
        // Whoever opens a scope in a background task waits for all in it. Not bound elsewhere,
        // since each task copies what is.
        return try await BackgroundTask.$isCurrent.withValue(false) { try await body(self) }
      }
    }
  }
}

extension VirtualState {
  /// Whether the scope has ended without its body, which was left behind.
  fileprivate var isLeft: Bool {
    if case .ended = phase { true } else { false }
  }
}

extension VirtualScheduler {
  fileprivate func leaveBody() {
    let awaiter = change { state in
      state.bodyHasEnded = true
      return state.takeBodyAwaiter()
    }
    // Whoever opened the scope is not part of it.
    VirtualTurn.suspended { awaiter?.resume(returning: true) }
  }

  /// Waits for the body: `false` if it has to be left behind.
  fileprivate func bodyEnd(
    mayLeave: Bool, cancel: @escaping @Sendable () -> Void
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let hasEnded = change { state in
        guard !state.bodyHasEnded else { return true }
        state.body = VirtualState.Body(
          awaiter: continuation, cancel: cancel, mayBeLeft: mayLeave)
        return false
      }
      if hasEnded { continuation.resume(returning: true) }
    }
  }

  /// Lets what is under way come to rest, cancels who still sleeps or advances time, and waits for
  /// what they do then.
  fileprivate func end() async {
    await withCheckedContinuation { continuation in
      change { $0.phase = .ending(continuation) }
    }
  }
}
