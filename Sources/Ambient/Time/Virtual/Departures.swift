/// What a scope knows of its tasks that leave it without a hold: for an actor with an executor of
/// its own, Dispatch, I/O, a real `Task.sleep`.
///
/// The scope takes them for suspended, and time may pass meanwhile, or not, as it happens. It
/// cannot see them leave, but it sees them come back: something outside of its turn enqueues them.
struct Departures {
  /// The task whose job has the turn, or had it last; zero if the job is no task's.
  private(set) var runner: UInt64 = 0
  /// The tasks that came back and have not had a turn since, and whether others slept then.
  private var returned: [UInt64: Bool] = [:]
  /// Whether no return is to be reported any more: one was, or the scope is being cancelled, and
  /// what comes back then is only obedient.
  private var isSilent = false

  private var runs = RecentRuns()
  /// The task that had the turn last, and the number of the job.
  private var lastTask: (task: UInt64, job: UInt64) = (0, 0)

  /// Notes that a job was enqueued from outside of the scope's turn.
  mutating func noteReturn(of task: UInt64, othersSleep: Bool) {
    if task != 0, !isSilent { returned[task] = othersSleep }
  }

  mutating func silence() { isSilent = true }

  /// Whether the job's task, whose turn has come, was away while others slept, or time passed:
  /// those that stood before it in the queue have had their turn. True once.
  mutating func judge(_ job: VirtualJob, othersSleep: Bool, at now: Duration) -> Bool {
    guard !returned.isEmpty, case let task = job.task,
      let othersSlept = returned.removeValue(forKey: task), !job.isCancelled, !isSilent,
      othersSlept || othersSleep || lastRun(of: task) ?? now != now
    else { return false }
    isSilent = true
    return true
  }

  mutating func noteRun(of task: UInt64, job: UInt64, at time: Duration) {
    runner = task
    guard task != 0 else { return }
    lastTask = (task, job)
    runs.note(task, at: time)
  }

  /// Which task runs again and again, when so many jobs have been taken; zero if that is not known.
  ///
  /// Between two jobs of its own are those of `Task.yield`, and of others that do the same. An
  /// actor's jobs do not tell their tasks.
  func looper(_ taken: UInt64) -> UInt64 { taken - lastTask.job < 1_000 ? lastTask.task : 0 }

  /// When the task last ran, as far as that is known.
  func lastRun(of task: UInt64) -> Duration? { task == 0 ? nil : runs.time(of: task) }
}

/// Which tasks of a scope ran lately, and at what time.
///
/// A fixed table, since one of all tasks would grow for ever, and without a hash, since each job
/// writes to it. The numbers of tasks follow each other; of many with the same last digits the
/// earliest is forgotten, which costs a report at most.
private struct RecentRuns {
  private var runs: [(task: UInt64, time: Duration)] = []
  private static let sets = 64
  /// How many of the same last digits are kept, the latest first.
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
