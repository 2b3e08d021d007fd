// SPDX-License-Identifier: Apache-2.0

/// Finds tasks that leave the scope without a `Time.hold`, for example to run on an actor with its
/// own executor or on Dispatch, or to wait for I/O or for a `Task.sleep` in real time.
///
/// The scope cannot see that a task leaves. It treats the task as suspended, so time may pass while
/// the task is outside. The scope sees only that the task returns: a thread that does not run the
/// scope's jobs enqueues a job of the task.
struct DepartedTasks {
  /// The task of the latest job; zero if the job belongs to no task.
  private(set) var runner: UInt64 = 0
  /// The tasks that have returned and whose jobs are still queued. The value for a task is true if
  /// other tasks slept when the task returned.
  private var returned: [UInt64: Bool] = [:]
  /// Whether no further return of a task is reported. True after the first report, so that a scope
  /// makes only one report. Also true once the task that opened the scope is cancelled, because
  /// the cancellation then makes tasks return.
  private var isSilent = false
  /// The tasks that sleep, or slept, in the scope, but on an executor that it does not see.
  private var excused: Set<UInt64> = []

  private var runs = RecentRuns()
  /// The latest job that belonged to a task: that task, and the number of the job.
  private var lastTask: (task: UInt64, job: UInt64) = (0, 0)

  /// Records that the task returns to the scope. Called when a thread that does not run the scope's
  /// jobs enqueues a job of the task.
  mutating func noteReturn(of task: UInt64, othersSleep: Bool) {
    if task != 0, !isSilent, excused.remove(task) == nil { returned[task] = othersSleep }
  }

  /// Records that the task, which is outside the scope, begins to sleep in the scope: its next
  /// return, awake or cancelled, is not reported.
  mutating func excuse(_ task: UInt64) { if task != 0 { excused.insert(task) } }

  /// Whether the task is outside the scope after a sleep in it. If such a task resumes another
  /// one, that does not count as a return to the scope.
  func isExcused(_ task: UInt64) -> Bool { task != 0 && excused.contains(task) }

  /// Whether a job of a task that has returned is still queued.
  var hasReturns: Bool { !returned.isEmpty }

  mutating func silence() { isSilent = true }

  /// The way in which a task came back.
  enum Return {
    /// As it should.
    case expected
    /// The task was outside the scope while other tasks slept or time passed.
    case unseen
    /// The task was cancelled, and outside the scope while time passed.
    case cancelled
  }

  /// Returns in which way the job's task came back; `unseen` at most once per scope.
  ///
  /// Call this when the job is taken from the queue, not when it is enqueued. When it is taken, the
  /// tasks of the earlier jobs have run, and may have begun to sleep.
  mutating func judge(_ job: VirtualJob, othersSleep: Bool, at now: Duration) -> Return {
    guard case let task = job.task, let othersSlept = returned.removeValue(forKey: task), !isSilent
    else { return .expected }
    let hasPassed = lastRun(of: task) ?? now != now
    if job.isCancelled { return hasPassed ? .cancelled : .expected }
    guard othersSlept || othersSleep || hasPassed else { return .expected }
    isSilent = true
    return .unseen
  }

  mutating func noteRun(of task: UInt64, job: UInt64, at time: Duration) {
    runner = task
    guard task != 0 else { return }
    lastTask = (task, job)
    runs.note(task, at: time)
  }

  /// The task that a report names if the scope's jobs never end; zero if the task is unknown.
  ///
  /// It is the task of the latest job that has a task number, if that job is among the last 1,000.
  /// The jobs after that job may be those of `Task.yield` and of actors, which have no task number.
  func looper(_ taken: UInt64) -> UInt64 { taken - lastTask.job < 1_000 ? lastTask.task : 0 }

  /// The time of the task's last run, if it is still known.
  func lastRun(of task: UInt64) -> Duration? { task == 0 ? nil : runs.time(of: task) }
}

/// The times at which tasks of a scope ran lately.
///
/// The table has a fixed size, because a table of all tasks would grow for ever. It does without a
/// hash function, which would cost time at each job: task numbers are consecutive, so their low
/// bits are enough to select a set of entries. A full set forgets the task that ran longest ago,
/// which at worst loses a report.
private struct RecentRuns {
  private var runs: [(task: UInt64, time: Duration)] = []
  private static let sets = 64
  /// The number of entries in a set. A set is in order, with the task that ran last at the front.
  private static let ways = 4

  mutating func note(_ task: UInt64, at time: Duration) {
    if runs.isEmpty { runs = Array(repeating: (0, .zero), count: Self.sets * Self.ways) }
    let set = set(of: task)
    if runs[set.lowerBound].task != task {
      let place = set.first { runs[$0].task == task } ?? set.upperBound - 1
      for way in stride(from: place, to: set.lowerBound, by: -1) { runs[way] = runs[way - 1] }
    }
    runs[set.lowerBound] = (task, time)
  }

  func time(of task: UInt64) -> Duration? {
    guard !runs.isEmpty else { return nil }
    return set(of: task).first { runs[$0].task == task }.map { runs[$0].time }
  }

  private func set(of task: UInt64) -> Range<Int> {
    let start = Int(truncatingIfNeeded: task) & (Self.sets - 1)
    return start * Self.ways..<(start + 1) * Self.ways
  }
}
