// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import CVirtualTime

/// The watch over the open scopes of virtual time. It reports and ends a scope that makes no
/// progress for some real time.
///
/// The watch has its own thread, since it could not run on a pool whose threads are all blocked. It
/// measures time by its wake-ups, so that time in which the process was stopped, by a debugger or
/// by a closed lid, does not count.
enum ScopeWatch {
  /// The time between two wake-ups.
  static let interval = Duration.milliseconds(50)

  /// The number of wake-ups in a duration, at least one.
  static func wakeUps(_ duration: Duration) -> Int {
    Int(max(1, min(duration / interval, 1e9).rounded(.up)))
  }

  private struct Watched {
    var scopes: [ObjectIdentifier: (scheduler: VirtualScheduler, reports: AmbientScope)] = [:]
    var hasThread = false
    var hasReportedNoThread = false
    var reportedQueues: Set<SharedQueue> = []
  }

  private static let watched = Guarded(Watched())

  /// Watches a scope of virtual time until `end` is called for it. Reports go to the diagnostics of
  /// the `AmbientScope` in which the caller runs.
  static func begin(_ scheduler: VirtualScheduler) {
    let reports = AmbientScope.capture()
    let mustStart = watched.withLock { watched in
      watched.scopes[ObjectIdentifier(scheduler)] = (scheduler, reports)
      return watched.hasThread.turnOn()
    }
    guard mustStart else { return }
    let hasThread = SystemThread.startIfPossible(watch)
    let mustReport = watched.withLock { watched in
      if !hasThread { watched.hasThread = false }
      return watched.hasReportedNoThread.turnOn(if: !hasThread)
    }
    guard mustReport else { return }
    Diagnostics.report(.stalled, source: "Time.virtual", noThread)
  }

  static var noThread: String {
    """
    cannot start a thread to watch scopes of virtual time. Until a later scope starts one, stalled \
    scopes are not reported, and do not end.
    """
  }

  static func end(_ scheduler: VirtualScheduler) {
    watched.withLock { _ = $0.scopes.removeValue(forKey: ObjectIdentifier(scheduler)) }
  }

  @Sendable private static func watch() {
    repeat { SystemThread.sleep(interval) } while look()
  }

  /// Handles a wake-up. Returns `false` if no scope is left to watch.
  static func look() -> Bool {
    let scopes = watched.withLock { watched in
      if watched.scopes.isEmpty { watched.hasThread = false }
      return Array(watched.scopes.values)
    }
    for (scheduler, reports) in scopes { scheduler.tick(reports) }
    reportStarvation(among: scopes)
    let limit = Int(ambient_tests_limit())
    let isStuck = scopes.contains {
      $0.scheduler.withState { $0.wakeUpsSinceVerdict } >= Double(wakeUps(.seconds(limit)))
    }
    if limit > 0, isStuck { endTests(scopes.map(\.scheduler), after: limit) }
    return !scopes.isEmpty
  }

  /// Ends a test program, because a scope whose tasks the watch has cancelled has neither ended nor
  /// made progress for `limit` seconds. Otherwise, the test run might never end, because a task
  /// ignores its cancellation, or because the task that opened the scope gets no thread.
  private static func endTests(_ scopes: [VirtualScheduler], after limit: Int) -> Never {
    let accounts = scopes.map { scheduler in scheduler.withState { $0.account }() }.sorted()
    StandardError.write(text(ofEnd: accounts, after: limit))
    ambient_tests_end()
  }

  static func text(ofEnd accounts: [String], after limit: Int) -> String {
    """
    Ambient: Time.virtual: ending this test program, because a cancelled scope of virtual time made \
    no progress for \(limit) s (AMBIENT_TESTS_LIMIT sets the limit in seconds, 0 for none). Its test \
    ignores the cancellation, or tests block all threads of the pool (a semaphore, \
    DispatchGroup.wait). Open scopes and their tasks:
    \(accounts.map { "- \($0)\n" }.joined())
    """
  }

  /// Reports a blocked pool or main queue once, not per scope, since all scopes share them; and
  /// again if it has served a scope in between.
  private static func reportStarvation(
    among scopes: [(scheduler: VirtualScheduler, reports: AmbientScope)]
  ) {
    var blocked: [SharedQueue: (scheduler: VirtualScheduler, reports: AmbientScope)] = [:]
    for scope in scopes {
      if let queue = scope.scheduler.withState({ $0.starvedOf }) { blocked[queue] = scope }
    }
    let reported = watched.withLock { watched in
      defer { watched.reportedQueues = Set(blocked.keys) }
      return watched.reportedQueues
    }
    for (queue, scope) in blocked where !reported.contains(queue) { report(scope, queue) }
  }

  private static func report(
    _ starved: (scheduler: VirtualScheduler, reports: AmbientScope), _ queue: SharedQueue
  ) {
    let (scope, hook) = starved.scheduler.withState { ($0.scopeName, $0.othersHook) }
    report(to: starved.reports, text(ofBlocked: queue, scope, hook))
  }

  static func text(ofBlocked queue: SharedQueue, _ scope: String, _ hook: String?) -> String {
    let taker = hook.map { hook in
      " Another library's hook, \(hook), may have taken jobs of the scope; remove that hook."
    }
    return """
      \(scope) has waited a minute or more for \(queue.rawValue), which is blocked (by a semaphore, a \
      wait for a child process, or a busy machine); the scope continues when \(queue.rawValue) is \
      free. In tests, await instead of blocking a thread.\(taker ?? "")
      """
  }

  /// Makes a text and reports it on a new thread. A report calls the program's handler of
  /// `Diagnostics`, which would delay the watch if it blocked the watch's own thread.
  fileprivate static func report(
    to reports: AmbientScope, _ text: @autoclosure @escaping @Sendable () -> String
  ) {
    SystemThread.start {
      reports.run { Diagnostics.report(.stalled, source: "Time.virtual", text()) }
    }
  }
}

extension VirtualScheduler {
  /// Checks, at a wake-up of ``ScopeWatch``, whether the scope makes progress, and acts on the
  /// finding: for example, reports the scope or ends it.
  func tick(_ reports: AmbientScope) {
    // The time for which the thread has waited for a processor is read outside the lock, because
    // the read is a system call. It is read only for a scope without progress.
    let waited = withState({ $0.threadInQuestion }).map {
      Stillness.Waited(
        thread: $0, duration: .nanoseconds(ambient_thread_waited($0)), time: SystemClock.monotonic()
      )
    }
    switch withState({ $0.tick(waited: waited) }) {
    case nil: break
    case .ask(let pool, let mainQueue):
      if let pool { ask(pool) }
      if let mainQueue { askMainQueue(mainQueue) }
    case .endless(let text): ScopeWatch.report(to: reports, text())
    case .unsatisfied(let error, let request):
      SystemThread.start {
        let error = error()
        reports.run { Self.report(error) }
        JobOrigin.own.with { request.continuation.resume(throwing: error) }
        self.change { _ in }
      }
    case .passToLimit: change { _ in }
    case .over(let error, let cancel): end(with: error, reports, cancel)
    case .leave(let left): leave(left)
    }
  }

  /// Enqueues a question in the pool, as a job. The answer proves that the pool has given a thread
  /// to the jobs that were enqueued before the question.
  private func ask(_ question: UInt64) {
    Task.detached {
      SharedQueue.pool.noteServed()
      let next = self.withState { $0.poolAnswered(question) }
      if let next { self.ask(next) }
    }
  }

  private func askMainQueue(_ question: UInt64) {
    Task.detached { @MainActor in
      SharedQueue.mainQueue.noteServed()
      let next = self.withState { $0.mainQueueAnswered(question) }
      if let next { self.askMainQueue(next) }
    }
  }

  /// Passes `error` to the scope's opener and calls the closures of `cancel`, on a new thread.
  ///
  /// These steps may call the program's handlers of diagnostics and of cancellation. The new thread
  /// is needed, because a handler that blocks must not block the thread of the watch.
  ///
  /// A deadlock is thrown to the opener, or reported if the body throws another error instead. A
  /// stalled scope is reported at once, because it may never return to its opener.
  private func end(
    with error: @escaping @Sendable () -> VirtualTimeError, _ reports: AmbientScope,
    _ cancel: [@Sendable () -> Void]
  ) {
    SystemThread.start {
      let error = error()
      if error.code == .stalled { reports.run { Self.report(error) } }
      self.withState { $0.noteTold() }
      self.tell(.error(error))
      JobOrigin.own.with { for cancel in cancel { cancel() } }
      // If no thread runs the scope's jobs, `change` starts a drainer, which runs the jobs of tasks
      // that react to their cancellation.
      self.change { _ in }
    }
  }

  /// Resumes the continuations of an abandoned scope on a new thread, because resuming may call an
  /// executor that the program defines.
  func leave(_ left: VirtualState.Left) {
    BareTasks.release(left.adopted, of: self)
    SystemThread.start {
      left.waits.cancel(besideTasks: true)
      left.opener?.resume(returning: false)
      left.ending?.resume()
      // Starts a drainer, which runs the jobs that are still queued: tasks outside the scope may
      // depend on them, because an actor's job can serve several tasks.
      self.change { _ in }
    }
  }

  private static func report(_ error: VirtualTimeError) {
    Diagnostics.report(.stalled, source: "Time.virtual", error.description)
  }
}
