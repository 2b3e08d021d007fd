// SPDX-License-Identifier: Apache-2.0

package import Ambient
internal import AmbientSystem
internal import CVirtualTime

/// Runs the tasks of one scope of virtual time, one job after another, and advances time in
/// between.
///
/// All jobs are in one queue. One drainer at a time takes jobs from the queue, and runs them on a
/// thread of the concurrency pool; jobs of the main actor run on the main actor. A drainer starts
/// after each change of the scope's state, for example when a job is enqueued, if none runs. No
/// other code runs these jobs, so when the queue is empty, all tasks that the scope sees are
/// suspended. Only then does time pass. Therefore the order of all events depends only on the
/// program as built, and on its hash seed, which `SWIFT_DETERMINISTIC_HASHING=1` fixes. No thread
/// is blocked, and time never depends on a guess about how long other code needs.
final class VirtualScheduler: TaskExecutor {
  private let state: Guarded<VirtualState>
  /// What Swift's clocks show at the scope's start; nil if they are real.
  private let starts: ClockStarts?

  init(
    origin: Date, _ advances: VirtualTime.Advances, limit: Duration, patience: Duration,
    starts: ClockStarts? = nil, run: ScheduleRun? = nil
  ) {
    state = Guarded(
      VirtualState(origin: origin, advances, limit: limit, patience: patience, run: run))
    self.starts = starts
    BareTasks.connect()
  }

  /// The time that the clocks of the scope's tasks show: the real one or the scope's.
  var clocks: SystemClocks { SystemClocks(kind: starts == nil ? .real : .scope(self)) }

  /// The reading of one of Swift's clocks, since its origin. It runs on after the end of the scope.
  func reading(isSuspending: Bool) -> Duration {
    let start = (isSuspending ? starts?.suspending : starts?.continuous) ?? .zero
    return start.plus(withState { $0.now })
  }

  func enqueue(_ job: consuming ExecutorJob) {
    _ = put(VirtualJob(job: UnownedJob(job), place: .scope), isBare: false)
  }

  /// Enqueues the job. Returns `false` instead if the scope has ended and the job belongs to a bare
  /// task, which does not use this executor.
  func put(_ job: VirtualJob, isBare: Bool) -> Bool {
    let origin = JobOrigin.current
    let isInTurn = VirtualTurn.isOf(self)
    let resumer = isInTurn ? 0 : TaskID.current
    return change { $0.take(job, isBare: isBare, origin, isInTurn: isInTurn, from: resumer) }
  }

  /// Passes a finding to the task that reports findings to the scope's opener. Any thread may call
  /// this method.
  func tell(_ finding: ScopeFinding) { withState { $0.findings }?.yield(finding) }

  /// Reads the state, or changes it in a way that neither advances time nor requires a drainer.
  func withState<R: Sendable>(_ body: (inout VirtualState) -> R) -> R {
    state.withLock { body(&$0) }
  }

  /// Changes the state, and starts a drainer if none runs.
  func change<R: Sendable>(_ body: (inout VirtualState) -> R) -> R {
    let (result, mustDrain) = state.withLock { state in
      let result = body(&state)
      return (result, state.noteChange())
    }
    if mustDrain { startDrainer() }
    return result
  }

  private func startDrainer() {
    VirtualTurn.suspended { _ = Task.detached { self.drain() } }
  }

  private func drain() {
    let executor = asUnownedTaskExecutor()
    takeTurn(from: .pool)
    let turn = VirtualTurn(of: self)
    defer { turn.end() }
    while let step = state.withLock({ $0.next() }) {
      switch step {
      case .run(let work, let left):
        if let left { VirtualTurn.suspended { tell(left()) } }
        noteOthersHook()
        switch work.place {
        case .scope: work.job.runSynchronously(on: executor)
        case .pool: work.job.runSynchronously(on: Self.pool)
        case .mainQueue: return runOnMainActor(work.job)
        }
      case .resume(let continuation, let result): continuation.resume(with: result)
      case .endSleep(let sleep, let polls):
        if let polls { VirtualTurn.suspended { tell(polls()) } }
        sleep.end()
      case .cancel(let waits, let background):
        for task in background { task.cancel?() }
        waits.cancel(besideTasks: false)
      case .end(let continuation, let adopted):
        BareTasks.release(adopted, of: self)
        // The code that opened the scope is outside the scope. So the code is resumed while the
        // thread is not marked as running the scope's jobs.
        VirtualTurn.suspended { continuation.resume() }
      case .giveUp(let error, let cancel):
        if let error { VirtualTurn.suspended { tell(.error(error())) } }
        JobOrigin.own.with { for cancel in cancel { cancel() } }
      case .leave(let left): return leave(left)
      // The new drainer goes to the end of the pool's queue, behind waiting jobs of other code.
      case .giveWay: return startDrainer()
      }
    }
  }

  /// Tells the runtime that a job runs under no serial executor, which is how the pool runs jobs.
  static var pool: UnownedSerialExecutor {
    // The cast is valid: the executor is two words, and zeros denote the default executor
    // (`generic`).
    unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)
  }

  private func takeTurn(from queue: SharedQueue) {
    queue.noteServed()
    let (thread, number) = (SystemThread.current, ambient_thread_number())
    state.withLock { $0.takeTurn(thread, number: number) }
  }

  /// Records the name of another library's hook that takes jobs before the scope gets them.
  private func noteOthersHook() {
    let hook = ambient_jobs_others_hook()
    guard hook != 0, withState({ $0.mustAsk(hook) }), let name = BareTasks.takingHook else {
      return
    }
    withState { $0.noteOthersHook(name) }
  }

  /// Starts a task that runs one job on the main actor, and then starts a new drainer. The drainer
  /// that calls this method ends, so that no two threads run the scope's jobs at once.
  private func runOnMainActor(_ job: UnownedJob) {
    VirtualTurn.suspended {
      _ = Task.detached { @MainActor in
        self.takeTurn(from: .mainQueue)
        let turn = VirtualTurn(of: self)
        job.runSynchronously(on: ScopeMainExecutor.shared.asUnownedSerialExecutor())
        turn.end()
        self.state.withLock { $0.passTurn() }
        self.startDrainer()
      }
    }
  }
}

/// A finding about a scope, which is reported to the code that opened the scope.
package enum ScopeFinding: Sendable {
  /// The error that ends the scope.
  case error(VirtualTimeError)
  /// The error that has ended the scope, if the body has thrown another instead.
  case replaced(VirtualTimeError)
  /// A report of a task that left the scope, or of a background task that ended with an error.
  case report(Diagnostic.Kind, String)
  /// A report of what may be intended.
  case hint(Diagnostic.Kind, String)
}
