extension VirtualTime {
  /// Runs `body` as a task of the scope, and ends the scope with it.
  ///
  /// - Parameters:
  ///   - place: Where the scope is opened.
  ///   - mayLeave: Whether a body that does not end though it is cancelled is left behind.
  ///   - body: What to run.
  ///   - tell: Told what the scope finds, when it finds it.
  /// - Returns: What the body returned or threw, or why the scope ended it; and what is to be said
  ///   of each task that still slept then, and was woken with `CancellationError`, or has not
  ///   ended.
  package func run<R: Sendable>(
    at place: SourcePlace, mayLeave: Bool,
    _ body: sending @escaping (VirtualTime) async throws -> R,
    tell: @escaping @Sendable (ScopeFinding) -> Void
  ) async -> (Result<R, any Error>, leftovers: [String]) {
    let scheduler = scheduler
    guard beginsAtInstant else { return (.failure(VirtualTimeError.noInstant), []) }
    guard scheduler.withState({ $0.limits.limit > .zero && $0.limits.patience > .zero }) else {
      return (.failure(VirtualTimeError.noLimit), [])
    }
    // The scope around, if there is one, must not take this wait for idleness, nor for stillness:
    // this one is watched itself.
    let outer = Time.virtualInForce?.scheduler
    outer?.withState { $0.beginNested() }
    BareTasks.beginScope()
    ScopeWatch.begin(scheduler)
    defer {
      ScopeWatch.end(scheduler)
      BareTasks.endScope(scheduler)
      outer?.withState { $0.endNested() }
    }
    let (findings, teller) = AsyncStream<ScopeFinding>.makeStream()
    scheduler.withState { $0.open(at: place, teller) }
    // Listens in a task of its own, where the task-locals of the caller are in force.
    let listener = Task {
      for await finding in findings { tell(finding) }
    }
    let task = start(body)
    return await Time.hold {
      let hasEnded = await withTaskCancellationHandler {
        await scheduler.bodyEnd(mayLeave: mayLeave) { task.cancel() }
      } onCancel: {
        scheduler.withState { $0.noteCancelled() }
        task.cancel()
      }
      if !scheduler.withState({ $0.hasEnded }) { await scheduler.end() }
      teller.finish()
      await listener.value
      let (found, leftovers) = scheduler.withState { ($0.error, $0.leftovers) }
      if !hasEnded, let found { return (.failure(found), leftovers) }
      let result = await task.result
      guard let found else { return (result, leftovers) }
      // Being cancelled is what the verdict led to; another error says more, but not why.
      if case .failure(let error) = result, !(error is CancellationError) {
        if case .deadlock = found { VirtualScheduler.report(found) }
        return (result, leftovers)
      }
      return (.failure(found), leftovers)
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
      // By itself, since the body may be done before it is cancelled from here.
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      defer { scheduler.leaveBody() }
      return try await Time.withInstance(self) {
        guard BackgroundTask.isCurrent else { return try await body(self) }
        // A background task that opens a scope waits for all in it. Not bound elsewhere,
        // since each task copies what is.
        return try await BackgroundTask.$isCurrent.withValue(false) { try await body(self) }
      }
    }
  }
}

extension VirtualScheduler {
  fileprivate func leaveBody() {
    let awaiter = change { $0.endBody() }
    // The opener of the scope is not part of it.
    VirtualTurn.suspended { awaiter?.resume(returning: true) }
  }

  /// Waits for the body: `false` if it has to be left behind.
  fileprivate func bodyEnd(
    mayLeave: Bool, cancel: @escaping @Sendable () -> Void
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let mustWait = change {
        $0.awaitBody(
          ScopeBody.Opener(awaiter: continuation, cancel: cancel, mayLeave: mayLeave))
      }
      if !mustWait { continuation.resume(returning: true) }
    }
  }

  /// Lets what is under way come to rest, cancels what still sleeps or advances time, and waits for
  /// what it does then.
  fileprivate func end() async {
    await withCheckedContinuation { continuation in change { $0.awaitEnd(continuation) } }
  }
}
