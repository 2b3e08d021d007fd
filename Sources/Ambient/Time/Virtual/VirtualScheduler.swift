internal import CVirtualTime

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Runs the tasks of one scope of virtual time, one job after another, and lets time pass between.
///
/// Jobs stand in one queue, first in, first out, and one drainer at a time runs them on a thread of
/// the pool, which it borrows when the queue stops being empty. Since nothing else runs the scope's
/// tasks, an empty queue means that all of them are suspended; only then does time move. So the
/// order of all that happens is a function of the program alone. No thread is blocked, and time
/// never passes on a guess about how long others need.
final class VirtualScheduler: TaskExecutor {
  private let state: Guarded<VirtualState>

  init(origin: Date, _ advances: VirtualTime.Advances, limit: Duration) {
    state = Guarded(VirtualState(origin: origin, advances, limit: limit))
    BareTasks.connect()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    _ = put(VirtualJob(job: UnownedJob(job), isForMainActor: false), isBare: false)
  }

  /// Puts the job into the queue; `false` for a bare task's when the scope has ended.
  func put(_ job: VirtualJob, isBare: Bool) -> Bool {
    let arrival = Arrival.current
    let isInTurn = VirtualTurn.isOf(self)
    return change { $0.take(job, isBare: isBare, arrival, isInTurn: isInTurn) }
  }

  /// Tells whoever opened the scope, in a task of theirs, since here may be anywhere.
  func tell(_ finding: ScopeFinding) { withState { $0.findings }?.yield(finding) }

  /// Reads the state, or changes in it what does not move time, and needs no drainer.
  func withState<R: Sendable>(_ body: (inout VirtualState) -> R) -> R {
    state.withLock { body(&$0) }
  }

  /// Changes the state, and makes sure that a drainer runs.
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
    takeTurn()
    let turn = VirtualTurn(of: self)
    defer { turn.end() }
    while let step = state.withLock({ $0.next() }) {
      switch step {
      case .run(let work) where work.isForMainActor: return runOnMainActor(work.job)
      case .run(let work): work.job.runSynchronously(on: executor)
      case .wake(let continuation): continuation.resume()
      case .answer(let continuation, let result): continuation.resume(with: result)
      case .cancel(let sleepers, let requests, let background):
        for task in background { task.cancel?() }
        for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
        for request in requests { request.continuation.resume(throwing: CancellationError()) }
      case .end(let continuation):
        BareTasks.release(withState { $0.takeAdopted() }, of: self)
        // Whoever opened the scope is not part of it.
        VirtualTurn.suspended { continuation.resume() }
      case .report(let text): VirtualTurn.suspended { tell(.left(text)) }
      case .suspectDeadlock(let era): VirtualTurn.suspended { confirmDeadlock(era) }
      // To the end of the pool's queue, behind those who wait.
      case .giveWay: return startDrainer()
      }
    }
  }

  private func takeTurn() {
    let (thread, number) = (SystemThread.current, ambient_thread_number())
    state.withLock { $0.takeTurn(thread, number: number) }
  }

  /// Gives the turn to the main actor's queue for one job; no drainer runs meanwhile.
  private func runOnMainActor(_ job: UnownedJob) {
    VirtualTurn.suspended {
      _ = Task.detached { @MainActor in
        self.takeTurn()
        let turn = VirtualTurn(of: self)
        job.runSynchronously(on: ScopeMainExecutor.shared.asUnownedSerialExecutor())
        turn.end()
        self.state.withLock { $0.turn = .pool }
        self.startDrainer()
      }
    }
  }
}

/// A job of the scope, and where it runs when its turn comes.
struct VirtualJob {
  let job: UnownedJob
  /// On the main actor's queue, or on the drainer's thread.
  let isForMainActor: Bool

  /// The number of its task, which no other task ever has; zero if it is no task's.
  ///
  /// Read when it is needed, since many jobs may stand in the queue. Must not be called after the
  /// job has run.
  var task: UInt64 {
    // Valid: a job is one pointer, to what lives until it has run.
    ambient_job_task(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
  }

  /// Whether its task was cancelled. Must not be called after the job has run, either.
  var isCancelled: Bool {
    // Valid, as above.
    ambient_job_is_cancelled(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
  }
}

/// What a scope found out, to be told to whoever opened it.
package enum ScopeFinding: Sendable {
  /// Why the scope ends.
  case error(VirtualTimeError)
  /// That a task left the scope, where, and what to do.
  case left(String)
}
