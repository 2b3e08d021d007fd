internal import CVirtualTime

/// Bare tasks that belong to a scope of virtual time, though they run under no executor of its.
///
/// In a program that tests, the runtime's hook shows each job before it goes to the pool
/// (`swift_task_enqueueGlobal_hook`). What is enqueued in a scope's turn belongs to the scope. The
/// scope keeps the number of its task, by which it is known again when something outside resumes
/// it. A program that does not test has no such hook, and its bare tasks run on the pool.
enum BareTasks {
  private static let scopes = Guarded<[UInt64: VirtualScheduler]>([:])

  /// Once, before the first scope has a turn.
  private static let connection: Void = {
    let main = ScopeMainExecutor.shared.asUnownedSerialExecutor()
    // Valid: it is the two words that the runtime passes an executor as, and the executor lives for
    // as long as the process.
    let words = unsafeBitCast(main, to: (UInt, UInt).self)
    ambient_hooks_connect(
      { job, scope, task in
        guard let job else { return false }
        return BareTasks.take(job, in: scope, task)
      }, ambient_executor(identity: words.0, implementation: words.1))
  }()

  static func connect() { connection }

  /// Puts our hooks in front once more, where others were put before them since the last scope.
  static func beginScope() {
    if ambient_hooks_state() == ambient_hooks_replaced { _ = ambient_hooks_install() }
  }

  /// Says so if our hooks were replaced while the scope was open.
  static func endScope() {
    guard ambient_hooks_state() == ambient_hooks_replaced else { return }
    Diagnostics.report(
      Diagnostic(
        .leftScope, source: "Time.virtual",
        """
        somebody replaced the runtime's hook (swift_task_enqueueGlobal_hook) while a scope of \
        virtual time was open: unless theirs asks ours, bare tasks have left the scope since then. \
        Let them install it before the first test.
        """))
  }

  /// Whether a scope took the job: the one whose turn it is, or the one that has its task.
  private static func take(
    _ pointer: UnsafeMutableRawPointer, in scope: UnsafeMutableRawPointer?, _ task: UInt64
  ) -> Bool {
    // Valid: a job is one pointer, which the runtime has just handed over.
    let job = unsafeBitCast(pointer, to: UnownedJob.self)
    let scheduler = scope.map(VirtualTurn.scheduler) ?? owner(of: task)
    return scheduler?.adopt(VirtualJob(job: job, isForMainActor: false)) ?? false
  }

  /// Whether a scope took the job, to run it on the main actor's queue when its turn comes.
  static func take(forMainActor job: UnownedJob) -> Bool {
    let job = VirtualJob(job: job, isForMainActor: true)
    return (VirtualTurn.current ?? owner(of: job.task))?.adopt(job) ?? false
  }

  private static func owner(of task: UInt64) -> VirtualScheduler? {
    task == 0 ? nil : scopes.withLock { $0[task] }
  }

  fileprivate static func note(_ task: UInt64, of scheduler: VirtualScheduler) {
    scopes.withLock { scopes in
      scopes[task] = scheduler
      ambient_hooks_watch(UInt64(scopes.count))
    }
  }

  /// Forgets the tasks of a scope that has ended.
  static func release(_ tasks: Set<UInt64>) {
    guard !tasks.isEmpty else { return }
    scopes.withLock { scopes in
      for task in tasks { scopes[task] = nil }
      ambient_hooks_watch(UInt64(scopes.count))
    }
  }
}

extension VirtualScheduler {
  /// Puts the job into the queue, and remembers its task; `false` if the scope has ended.
  fileprivate func adopt(_ job: VirtualJob) -> Bool {
    // Once it stands in the queue it may run, and be gone.
    let task = job.task
    let taken = put(job, isBare: true)
    if taken == .adopted {
      BareTasks.note(task, of: self)
      // The scope may have ended, and released its tasks, in between.
      if withState({ $0.adopted.isEmpty }) { BareTasks.release([task]) }
    }
    return taken != .refused
  }
}

extension VirtualState {
  enum Taken { case refused, taken, adopted }

  mutating func take(
    _ job: VirtualJob, isBare: Bool, _ arrival: Arrival, isInTurn: Bool
  ) -> Taken {
    var isNew = false
    if isBare {
      if case .ended = phase { return .refused }
      isNew = job.task != 0 && adopted.insert(job.task).inserted
    }
    noteArrival(of: job, arrival, isInTurn: isInTurn)
    jobs.append(job)
    return isNew ? .adopted : .taken
  }
}
