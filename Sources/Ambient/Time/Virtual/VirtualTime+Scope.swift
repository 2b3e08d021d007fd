extension VirtualTime {
  /// Runs `body` as a task of the scope, and ends the scope with it.
  ///
  /// - Parameters:
  ///   - body: What to run.
  ///   - onDeadlock: Told of a deadlock when it is found. With it the call waits for the body in
  ///     any case; without it, a body that does not end though it is cancelled is left behind.
  /// - Returns: What the body returned or threw, or ``VirtualTimeError/deadlock(waiting:)``; and
  ///   those who still slept then: they were woken with `CancellationError`.
  package func run<R: Sendable>(
    _ body: sending @escaping (VirtualTime) async throws -> R,
    onDeadlock: (@Sendable (VirtualTimeError) -> Void)? = nil
  ) async -> (Result<R, any Error>, leftovers: [Sleeper]) {
    let scheduler = scheduler
    BareTasks.beginScope()
    defer { BareTasks.endScope() }
    let (deadlocks, deadlock) = AsyncStream<VirtualTimeError>.makeStream()
    // Listens in a task of its own, where the task-locals of whoever called are in force.
    let listener = Task {
      for await error in deadlocks { onDeadlock?(error) }
    }
    let isCancelled = Task.isCancelled
    let task = Task(executorPreference: scheduler) {
      // By itself, since the body may be done before anybody cancels it from here.
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      scheduler.withState { $0.bodyTask = TaskID.current }
      defer { scheduler.leaveBody() }
      return try await Time.withInstance(self) { try await body(self) }
    }
    // The scope around, if there is one, must not take this wait for idleness.
    return await Time.hold {
      let hasEnded = await withTaskCancellationHandler {
        await scheduler.bodyEnd(mayLeave: onDeadlock == nil, deadlock) { task.cancel() }
      } onCancel: {
        task.cancel()
      }
      let leftovers = await scheduler.end()
      deadlock.finish()
      await listener.value
      let deadlock = scheduler.withState { $0.deadlock }
      if !hasEnded, let deadlock { return (.failure(deadlock), leftovers) }
      let result = await task.result
      guard let deadlock else { return (result, leftovers) }
      // Being cancelled is what the deadlock led to; another error says more.
      if case .failure(let error) = result, !(error is CancellationError) {
        return (result, leftovers)
      }
      return (.failure(deadlock), leftovers)
    }
  }
}

extension VirtualScheduler {
  fileprivate func leaveBody() {
    let awaiter = change { state in
      state.bodyHasEnded = true
      return state.takeBodyAwaiter()
    }
    awaiter?.resume(returning: true)
  }

  /// Waits for the body: `false` if it has to be left behind.
  fileprivate func bodyEnd(
    mayLeave: Bool, _ deadlock: AsyncStream<VirtualTimeError>.Continuation,
    cancel: @escaping @Sendable () -> Void
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let hasEnded = change { state in
        guard !state.bodyHasEnded else { return true }
        state.body = VirtualState.Body(
          awaiter: continuation, cancel: cancel, deadlock: deadlock, mayBeLeft: mayLeave)
        return false
      }
      if hasEnded { continuation.resume(returning: true) }
    }
  }

  /// Lets what is under way come to rest, cancels who still sleeps or advances time, and waits for
  /// what they do then.
  fileprivate func end() async -> [Sleeper] {
    await withCheckedContinuation { continuation in
      change { $0.phase = .ending(continuation) }
    }
  }
}
