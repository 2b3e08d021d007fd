// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import CVirtualTime

/// Bare tasks (`Task { }`) that belong to a scope of virtual time, although they do not run on the
/// scope's executor.
///
/// In a test program, each job is offered to the scopes before it goes to the thread pool. The
/// offer is made by the default executor that AmbientTesting installs. Where no such executor can
/// be installed, the offer is made by the runtime's hook (`swift_task_enqueueGlobal_hook`), while
/// scopes are open.
///
/// A job that a thread enqueues while it runs a scope's jobs belongs to the scope, with three
/// exceptions: jobs of a task that belongs to another scope, jobs of a task that is older than this
/// scope (such as a worker task of the process, which the scope only wakes), and jobs of a task
/// that begins in an `AmbientScope.outside`. The number of each bare task of a scope is stored, so
/// that the task's jobs belong to the scope even if code outside the scope resumes the task.
///
/// In programs other than tests, bare tasks run on the pool.
enum BareTasks {
  private static let scopes = Guarded<[UInt64: VirtualScheduler]>([:])

  /// Passes two things to `CVirtualTime`: the function that takes jobs, and the executor that
  /// replaces the main actor's executor. This happens once, before a scope's first job runs.
  private static let connection: Void = {
    let main = ScopeMainExecutor.shared.asUnownedSerialExecutor()
    // Valid: the runtime passes an executor as these two words, and this executor is never freed.
    let words = unsafeBitCast(main, to: (UInt, UInt).self)
    ambient_jobs_connect(
      { job, scope, task, isOutside in
        guard let job else { return false }
        return BareTasks.take(job, in: scope, task, isOutside)
      }, ambient_executor(identity: words.0, implementation: words.1))
  }()

  static func connect() { connection }

  /// The scope that owns the bare task; nil if there is none, and outside a task.
  static func scope(of task: UInt64) -> VirtualScheduler? {
    task == 0 ? nil : scopes.withLock { $0[task] }
  }

  /// Whether bare tasks, and the main actor's jobs, belong to scopes in this process.
  static var areHeld: Bool { ambient_jobs_way() != ambient_jobs_unseen }

  /// The name of another library's hook that takes jobs away from the scopes. It is nil if there is
  /// no other hook, or if the hook only observes jobs and passes them on.
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

  /// Returns advice, for reports, about work that the scope does not see.
  ///
  /// For a bare task that the scope starts but does not see, it recommends `Time.task`, never
  /// `Time.hold`. A hold stops virtual time, so a sleep of that task in virtual time would never
  /// end.
  static func cure(isHeld: Bool) -> String {
    let start =
      isHeld
      ? ""
      : " Replace Task { } with Time.task { }, because this program does not link AmbientTesting."
    return """
      Replace a real Task.sleep with Time.sleep, or set systemClocks: true.\(start) Put Time.hold { } \
      around each wait for \(isHeld ? "" : "the main actor, ")an actor with its own executor, a task \
      that began outside, Dispatch or I/O. If a task of the scope fulfills an XCTest expectation, \
      await the task's value instead, because a hold would stop the task's sleeps
      """
  }

  /// Serializes the calls of `ambient_jobs_open` and `ambient_jobs_close`, which are not
  /// thread-safe. If jobs are offered by the runtime's hook, the first open scope sets the hook,
  /// and the last one removes it.
  private static let opening = Guarded(())

  static func beginScope() { opening.withLock { _ in ambient_jobs_open() } }

  /// Closes the scope. Returns a report if another library's hook took jobs while the scope was
  /// open.
  static func endScope(_ scheduler: VirtualScheduler) -> String? {
    let hook = scheduler.withState { $0.othersHook } ?? takingHook
    opening.withLock { _ in ambient_jobs_close() }
    return hook.map(text(ofHook:))
  }

  static func text(ofHook hook: String) -> String {
    """
    another library's hook (\(hook)) took jobs while a scope of virtual time was open, so bare tasks \
    or tasks of the main actor ran outside the scope. Remove the hook before the scope begins
    """
  }

  /// Offers the job to the scope that owns the job's task. If no scope owns it, offers the job to
  /// the scope whose jobs this thread is running, with the exceptions stated at `BareTasks`.
  /// Returns true if a scope accepts the job.
  private static func take(
    _ pointer: UnsafeMutableRawPointer, in scope: UnsafeMutableRawPointer?, _ task: UInt64,
    _ isOutside: Bool
  ) -> Bool {
    // Valid: a job is one pointer, which the runtime has just passed.
    let job = unsafeBitCast(pointer, to: UnownedJob.self)
    return take(
      VirtualJob(job: job, place: .pool), task, in: scope.map(VirtualTurn.scheduler), isOutside)
  }

  /// Offers a job of the main actor to a scope. The scope is chosen by the same rules as for a job
  /// of the pool. Returns true if the scope accepts the job. The scope then runs the job on the
  /// main queue, in order with the scope's other jobs.
  static func take(forMainActor job: UnownedJob) -> Bool {
    let job = VirtualJob(job: job, place: .mainQueue)
    return take(job, job.task, in: VirtualTurn.current)
  }

  private static func take(
    _ job: VirtualJob, _ task: UInt64, in turn: VirtualScheduler?, _ isOutside: Bool = false
  ) -> Bool {
    // An actor's job has no task number, because the job may serve several tasks.
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
