internal import CVirtualTime

/// Bare tasks that belong to a scope of virtual time, though they run under no executor of its.
///
/// In a program that tests, the runtime's hook shows each job before it goes to the pool
/// (`swift_task_enqueueGlobal_hook`). What is enqueued in a scope's turn belongs to the scope,
/// unless it is of another scope, is older than this one (a worker of the process's that the scope
/// only wakes), or begins in an `AmbientScope.none`. The scope keeps the number of its task, by
/// which it is known again when something outside resumes it. A program that does not test has no
/// such hook, and its bare tasks run on the pool.
enum BareTasks {
  private static let scopes = Guarded<[UInt64: VirtualScheduler]>([:])

  /// Once, before the first scope has a turn.
  private static let connection: Void = {
    let main = ScopeMainExecutor.shared.asUnownedSerialExecutor()
    // Valid: it is the two words that the runtime passes an executor as, and the executor lives for
    // as long as the process.
    let words = unsafeBitCast(main, to: (UInt, UInt).self)
    ambient_hooks_connect(
      { job, scope, task, isOutside in
        guard let job else { return false }
        return BareTasks.take(job, in: scope, task, isOutside)
      }, ambient_executor(identity: words.0, implementation: words.1))
  }()

  static func connect() { connection }

  /// Whether bare tasks, and the main actor's jobs, belong to scopes in this process.
  static var areHeld: Bool { ambient_hooks_state() != ambient_hooks_absent }

  /// What to write around, or instead of, what the scope does not see.
  ///
  /// A bare task that is not held must not stand in a hold: if it sleeps, the hold keeps time from
  /// passing, and nobody lets it go.
  static func cure(isHeld: Bool) -> String {
    let sleep = "a real Task.sleep is to be a Time.sleep"
    let unseen = """
      an actor with an executor of its own, a task that began outside, Dispatch and I/O belong in \
      Time.hold { }
      """
    if isHeld { return "\(sleep); \(unseen)" }
    return """
      \(sleep); a bare Task { }, since this program does not link AmbientTesting, a Time.task { }; \
      the main actor, \(unseen)
      """
  }

  /// How often our hooks had to be put in front of others.
  private static let replacements = Guarded(0)

  /// Puts our hooks in front once more, where others were put before them since the last scope.
  ///
  /// - Returns: What the end of the scope is to be told.
  static func beginScope() -> Int {
    replacements.withLock { count in
      if ambient_hooks_state() == ambient_hooks_replaced, ambient_hooks_install() { count += 1 }
      return count
    }
  }

  /// Says so if our hooks were replaced while the scope was open.
  static func endScope(since begin: Int) {
    guard
      ambient_hooks_state() == ambient_hooks_replaced
        || replacements.withLock({ $0 }) != begin
    else { return }
    Diagnostics.report(
      Diagnostic(
        .leftScope, source: "Time.virtual",
        """
        somebody replaced the runtime's hook (swift_task_enqueueGlobal_hook) while a scope of \
        virtual time was open: unless theirs asks ours, bare tasks have left the scope since then. \
        Let them install it before the first test.
        """))
  }

  /// Whether a scope took the job: the one that has its task, or the one whose turn it is.
  private static func take(
    _ pointer: UnsafeMutableRawPointer, in scope: UnsafeMutableRawPointer?, _ task: UInt64,
    _ isOutside: Bool
  ) -> Bool {
    // Valid: a job is one pointer, which the runtime has just handed over.
    let job = unsafeBitCast(pointer, to: UnownedJob.self)
    return take(
      VirtualJob(job: job, isForMainActor: false), task, in: scope.map(VirtualTurn.scheduler),
      isOutside)
  }

  /// Whether a scope took the job, to run it on the main actor's queue when its turn comes.
  static func take(forMainActor job: UnownedJob) -> Bool {
    let job = VirtualJob(job: job, isForMainActor: true)
    return take(job, job.task, in: VirtualTurn.current)
  }

  private static func take(
    _ job: VirtualJob, _ task: UInt64, in turn: VirtualScheduler?, _ isOutside: Bool = false
  ) -> Bool {
    // An actor's job, which may serve several tasks.
    if task == 0 { return turn?.put(job, isBare: true) ?? false }
    let standing = turn?.withState { $0.standing(of: task, isOutside: isOutside) } ?? .foreign
    if standing == .adopted { return turn?.put(job, isBare: true) ?? false }
    let owner = scopes.withLock { scopes -> VirtualScheduler? in
      if let owner = scopes[task] { return owner }
      guard standing == .new, let turn else { return nil }
      scopes[task] = turn
      ambient_hooks_watch(UInt64(scopes.count))
      return turn
    }
    guard let owner else { return false }
    if owner.put(job, isBare: true) { return true }
    release([task], of: owner)
    return false
  }

  /// Forgets the tasks of a scope that has ended.
  static func release(_ tasks: Set<UInt64>, of scheduler: VirtualScheduler) {
    guard !tasks.isEmpty else { return }
    scopes.withLock { scopes in
      for task in tasks where scopes[task] === scheduler { scopes[task] = nil }
      ambient_hooks_watch(UInt64(scopes.count))
    }
  }
}

extension VirtualState {
  /// What a bare task is to the scope in whose turn it is started or resumed.
  enum Standing { case adopted, new, foreign }

  fileprivate mutating func standing(of task: UInt64, isOutside: Bool) -> Standing {
    if adopted.contains(task) { return .adopted }
    if isOutside { strangers.insert(task) }
    // The numbers of tasks only grow, so one that is less began before the scope.
    return task < bodyTask || strangers.contains(task) ? .foreign : .new
  }

  /// Whether the job was taken: a bare task's is not once the scope has ended.
  mutating func take(
    _ job: VirtualJob, isBare: Bool, _ arrival: Arrival, isInTurn: Bool
  ) -> Bool {
    if isBare {
      if case .ended = phase { return false }
      let task = job.task
      if task != 0 { adopted.insert(task) }
    }
    noteArrival(of: job, arrival, isInTurn: isInTurn)
    jobs.append(job)
    return true
  }
}
