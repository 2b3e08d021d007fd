extension VirtualTime {
  /// Runs `body` as a task of the scope, and ends the scope with it.
  ///
  /// - Returns: What the body returned, and those who still slept then: they were woken with
  ///   `CancellationError`.
  package func run<R: Sendable>(
    _ body: sending @escaping (VirtualTime) async throws -> R
  ) async throws -> (R, leftovers: [Sleeper]) {
    let scheduler = scheduler
    let task = Task(executorPreference: scheduler) {
      scheduler.look { $0.bodyTask = TaskID.current }
      defer { scheduler.change { $0.bodyHasEnded = true } }
      return try await Time.withInstance(self) { try await body(self) }
    }
    scheduler.onDeadlock { task.cancel() }
    // The scope around, if there is one, must not take this wait for idleness.
    return try await Time.hold {
      let result = await withTaskCancellationHandler {
        await task.result
      } onCancel: {
        task.cancel()
      }
      let leftovers = await scheduler.end()
      do {
        return (try result.get(), leftovers)
      } catch let error as CancellationError {
        throw scheduler.look { $0.deadlock } ?? error
      }
    }
  }
}

extension VirtualScheduler {
  fileprivate func onDeadlock(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = look { state in
      state.cancelBody = cancel
      return state.deadlock != nil
    }
    if isLate { cancel() }
  }

  /// Lets what is under way come to rest, cancels who still sleeps, and waits for what they do then.
  fileprivate func end() async -> [Sleeper] {
    await withCheckedContinuation { continuation in
      change { state in
        // The body's task holds this scheduler: let go of it.
        state.cancelBody = nil
        state.phase = .ending(continuation)
      }
    }
  }
}
