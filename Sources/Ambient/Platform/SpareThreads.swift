/// A task executor with threads of its own, for jobs that may block the thread that they run on.
///
/// One thread runs the jobs in their order, and ends when there are none. One more is started 10 ms
/// after a job has come that still waits, again and again while they block, 64 in all.
final class SpareThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// How many threads run jobs, those that block among them.
    var running = 0
    /// A thread waits to see whether the others block.
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
    // Never on the caller's own thread, which waits with a deadline: without a thread the job stays
    // here until another comes, and its service is told to be late.
    if isFirst, !SystemThread.startIfPossible({ self.run() }) {
      state.withLock { $0.running = 0 }
    }
    if needsRelief { startRelief() }
  }

  /// Whether one more thread is to be started.
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
