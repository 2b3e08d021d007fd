/// A task executor with threads of its own, for jobs that may block their thread.
///
/// One thread runs the jobs in order, and ends when there are none. If a job waits for more than 10
/// ms, because the running jobs block, another thread is started, up to 64.
final class BlockingExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// The number of threads that run jobs, blocked ones included.
    var running = 0
    /// Whether a relief thread is sleeping for 10 ms, after which it runs jobs that still wait.
    var hasRelief = false
  }

  private let state = Guarded(State())

  private static let limit = 64

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (isFirst, needsRelief) = state.withLock { state in
      state.jobs.append(job)
      let isFirst = state.running == 0
      if isFirst { state.running = 1 }
      return (isFirst, !isFirst && Self.callRelief(&state))
    }
    // The job may block, so it never runs on the calling thread, which may wait for the job only
    // until a deadline. If no thread can be started, the job waits for the next `enqueue` that
    // starts one, and `AmbientScope.shutdown` reports the service that the job stops as late.
    if isFirst, !SystemThread.startIfPossible({ self.run() }) {
      state.withLock { $0.running = 0 }
    }
    if needsRelief { startRelief() }
  }

  /// Returns whether the caller must call `startRelief`. That function starts a relief thread,
  /// which sleeps for 10 ms and then runs jobs that still wait. If the result is true, sets
  /// `hasRelief`, so that only one relief thread sleeps at a time.
  private static func callRelief(_ state: inout State) -> Bool {
    guard !state.hasRelief, !state.jobs.isEmpty, state.running < limit else { return false }
    state.hasRelief = true
    return true
  }

  private func startRelief() {
    let isStarted = SystemThread.startIfPossible {
      SystemThread.sleep(.milliseconds(10))
      let (isNeeded, needsRelief) = self.state.withLock { state in
        state.hasRelief = false
        let isNeeded = !state.jobs.isEmpty
        if isNeeded { state.running += 1 }
        return (isNeeded, state.jobs.count > 1 && Self.callRelief(&state))
      }
      if needsRelief { self.startRelief() }
      if isNeeded { self.run() }
    }
    if !isStarted { state.withLock { $0.hasRelief = false } }
  }

  private func run() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      state.running -= 1
      return nil
    }
  }
}
