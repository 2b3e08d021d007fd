internal import CVirtualTime

/// Bare tasks that belong to a scope of virtual time, though they run under no executor of its.
///
/// In a program that tests, each job is offered before it goes to the pool: by the default executor
/// that AmbientTesting puts in place, or, where that cannot be, by the runtime's hook
/// (`swift_task_enqueueGlobal_hook`) while scopes are open. A job that is enqueued in a scope's
/// turn belongs to the scope, unless its task is of another scope, is older than this one (a
/// worker of the process's that the scope only wakes), or begins in an `AmbientScope.none`. The
/// scope keeps the number of its task, by which it is known again when something outside resumes
/// it. In a program that does not test, bare tasks run on the pool.
enum BareTasks {
  private static let scopes = Guarded<[UInt64: VirtualScheduler]>([:])

  /// Once, before the first scope has a turn.
  private static let connection: Void = {
    let main = ScopeMainExecutor.shared.asUnownedSerialExecutor()
    // Valid: it is the two words that the runtime passes an executor as, and the executor lives for
    // as long as the process.
    let words = unsafeBitCast(main, to: (UInt, UInt).self)
    ambient_jobs_connect(
      { job, scope, task, isOutside in
        guard let job else { return false }
        return BareTasks.take(job, in: scope, task, isOutside)
      }, ambient_executor(identity: words.0, implementation: words.1))
  }()

  static func connect() { connection }

  /// Whether bare tasks, and the main actor's jobs, belong to scopes in this process.
  static var areHeld: Bool { ambient_jobs_way() != ambient_jobs_unseen }

  /// The name of a hook by which another library keeps jobs from the scopes: one that only looks
  /// at them, and hands them on, does not.
  static var takingHook: String? {
    guard ambient_jobs_others_hook() != 0 else { return nil }
    if ambient_jobs_others_main_hook() { return "swift_task_getMainExecutor_hook" }
    let isSeen = VirtualTurn.suspended {
      ambient_jobs_probe_begin()
      Task.detached {}
      return ambient_jobs_probe_end()
    }
    return isSeen ? nil : "swift_task_enqueueGlobal_hook, as withMainSerialExecutor sets it"
  }

  /// What to write around, or instead of, what the scope does not see.
  ///
  /// A bare task that is not held must not stand in a hold: if it sleeps, the hold keeps time from
  /// passing, and nothing lets it go.
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

  /// Guards the opening and closing of scopes, where the runtime's hook is set while one is open.
  private static let opening = Guarded(())

  static func beginScope() { opening.withLock { _ in ambient_jobs_open() } }

  /// Says so if a hook of another library took jobs while the scope was open.
  static func endScope(_ scheduler: VirtualScheduler) {
    let hook = scheduler.withState { $0.othersHook } ?? takingHook
    opening.withLock { _ in ambient_jobs_close() }
    guard let hook else { return }
    Diagnostics.report(
      Diagnostic(
        .leftScope, source: "Time.virtual",
        """
        while a scope of virtual time was open, a hook of another library (\(hook)) took jobs: bare \
        tasks, or those of the main actor, have left the scope meanwhile. Let it end before the \
        scope begins; within one it is not needed.
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
      VirtualJob(job: job, place: .pool), task, in: scope.map(VirtualTurn.scheduler), isOutside)
  }

  /// Whether a scope took the job, to run it on the main actor's queue when its turn comes.
  static func take(forMainActor job: UnownedJob) -> Bool {
    let job = VirtualJob(job: job, place: .mainQueue)
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
      ambient_jobs_watch(UInt64(scopes.count))
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
      ambient_jobs_watch(UInt64(scopes.count))
    }
  }
}
