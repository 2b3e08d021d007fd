// SPDX-License-Identifier: Apache-2.0

package import Ambient

extension VirtualTime {
  /// Runs `body` as a task of the scope, and ends the scope when the body has ended.
  ///
  /// - Parameters:
  ///   - place: The source location at which the scope is opened.
  ///   - mayLeave: Whether to abandon a body that does not end after its cancellation.
  ///   - body: The body of the scope.
  ///   - tell: Called with each finding of the scope.
  /// - Returns: The body's result, descriptions of the tasks that it left behind, and the task of
  ///   the body if that was abandoned.
  package func run<R: Sendable>(
    at place: SourcePlace, mayLeave: Bool,
    _ body: sending @escaping (VirtualTime) async throws -> R,
    tell: @escaping @Sendable (ScopeFinding) -> Void
  ) async -> (Result<R, any Error>, leftovers: [String], abandoned: Task<R, any Error>?) {
    let scheduler = scheduler
    guard beginsAtInstant else { return (.failure(VirtualTimeError(.noInstant)), [], nil) }
    guard scheduler.withState({ $0.limits.limit > .zero && $0.limits.patience > .zero }) else {
      return (.failure(VirtualTimeError(.noLimit)), [], nil)
    }
    // While the inner scope runs, the outer scope (if any) must not be reported for a lack of
    // progress. `ScopeWatch` observes the inner scope separately.
    let outer = (Time.scopeInForce as? VirtualTime)?.scheduler
    outer?.withState { $0.beginNested() }
    BareTasks.beginScope()
    // When thousands of tests start at once, each opens its scope before any scope gets a turn.
    // The type is written out because Swift 6.3 fails in optimized builds if `===` gives the type.
    let opener: (any Actor)? = #isolation
    (opener === MainActor.shared ? SharedQueue.mainQueue : .pool).noteServed()
    ScopeWatch.begin(scheduler)
    defer {
      ScopeWatch.end(scheduler)
      if let report = BareTasks.endScope(scheduler) { tell(.hint(.leftScope, report)) }
      outer?.withState { $0.endNested() }
    }
    let (findings, teller) = AsyncStream<ScopeFinding>.makeStream()
    scheduler.withState { $0.open(at: place, teller) }
    // A separate task reports findings while this task waits. The separate task inherits the
    // task-local values of this task.
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
      let (failure, leftovers) = scheduler.withState { ($0.failure, $0.leftovers) }
      let found = failure?()
      if !hasEnded { return (.failure(found ?? CancellationError()), leftovers, task) }
      let result = await task.result
      guard let found else { return (result, leftovers, nil) }
      // If the body threw a `CancellationError`, the cancellation was a consequence of `found`, so
      // `found` is thrown instead. Any other error of the body is thrown itself.
      if case .failure(let error) = result, !(error is CancellationError) {
        if found.code == .deadlock { tell(.replaced(found)) }
        return (result, leftovers, nil)
      }
      return (.failure(found), leftovers, nil)
    }
  }

  private func start<R: Sendable>(
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) -> Task<R, any Error> {
    let scheduler = scheduler
    let isCancelled = Task.isCancelled
    let mark = JobOrigin.start(0).begin()
    defer { mark.end() }
    return Task(executorPreference: scheduler) {
      // The task cancels itself, because its body may end before code outside could cancel it.
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      defer { scheduler.leaveBody() }
      return try await Time.withInstance(self) {
        // Values that are already right are not bound again, because each new task copies all bound
        // values.
        let clocks = scheduler.clocks
        let body = { () async throws -> R in
          try await clocks.needNoBinding
            ? body(self)
            : SystemClocks.context.withInstance(clocks) {
              try await body(self)
            }
        }
        guard BackgroundTasks.isCurrent else { return try await body() }
        // A background task that opens a scope waits for the scope's tasks, so they do not count as
        // background tasks. The task's closure is isolated to no actor: no actor to stay on.
        return try await BackgroundTasks.$isCurrent.withValue(false) { try await body() }
      }
    }
  }
}

extension VirtualScheduler {
  fileprivate func leaveBody() {
    let awaiter = change { $0.endBody() }
    // The awaiter is the code that opened the scope. It does not belong to the scope, so it is
    // resumed without this thread's mark, which would attribute the awaiter's job to the scope.
    VirtualTurn.suspended { awaiter?.resume(returning: true) }
  }

  /// Waits for the end of the body. Returns `false` if the body must be abandoned.
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

  /// Ends the scope: runs queued jobs, cancels all sleeps, cancels all waiting calls that advance
  /// time, and waits for the cancelled tasks.
  fileprivate func end() async {
    await withCheckedContinuation { continuation in change { $0.awaitEnd(continuation) } }
  }
}
