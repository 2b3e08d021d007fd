internal import CVirtualTime

/// Looks after the scopes of virtual time that are open: one in which nothing goes on any more says
/// so after a while of real time, and ends.
///
/// A thread of its own, since a pool all of whose threads are blocked could not say that they are.
/// The while is counted in its wake-ups, so that time in which the process stood still (a debugger,
/// a closed lid) does not count.
enum ScopeWatch {
  /// From one wake-up to the next.
  static let interval = Duration.milliseconds(50)

  private struct Watched {
    var scopes: [ObjectIdentifier: (scheduler: VirtualScheduler, reports: AmbientScope)] = [:]
    var hasThread = false
    var hasReportedStarvation = false
  }

  private static let watched = Guarded(Watched())

  /// Watches a scope until it is told not to; what it finds is reported to who is in force here.
  static func begin(_ scheduler: VirtualScheduler) {
    let reports = AmbientScope.capture()
    let mustStart = watched.withLock { watched in
      watched.scopes[ObjectIdentifier(scheduler)] = (scheduler, reports)
      defer { watched.hasThread = true }
      return !watched.hasThread
    }
    // Without a thread nobody watches until the next scope tries again.
    if mustStart, !SystemThread.startIfPossible(watch) { watched.withLock { $0.hasThread = false } }
  }

  static func end(_ scheduler: VirtualScheduler) {
    watched.withLock { _ = $0.scopes.removeValue(forKey: ObjectIdentifier(scheduler)) }
  }

  /// Says so once for all scopes, which share the pool and the main queue.
  fileprivate static func reportStarvation(at place: SourcePlace?, _ reports: AmbientScope) {
    let isFirst = watched.withLock { watched in
      defer { watched.hasReportedStarvation = true }
      return !watched.hasReportedStarvation
    }
    guard isFirst else { return }
    SystemThread.start {
      reports.run {
        Diagnostics.report(
          Diagnostic(
            .stalled, source: "Time.virtual",
            """
            the scope\(place.map { " at \($0)" } ?? "") has waited for a thread of the pool, or for \
            the main queue, for a minute or more: something outside of it keeps them (a semaphore, a \
            child process that is awaited, a busy machine). It goes on when they are free.
            """))
      }
    }
  }

  @Sendable private static func watch() {
    while true {
      SystemThread.sleep(interval)
      let scopes = watched.withLock { watched in
        watched.hasThread = !watched.scopes.isEmpty
        return Array(watched.scopes.values)
      }
      if scopes.isEmpty { return }
      for (scheduler, reports) in scopes { scheduler.tick(reports) }
    }
  }
}

extension VirtualScheduler {
  /// A wake-up of the watch.
  func tick(_ reports: AmbientScope) {
    // Asked of the system outside the lock, and only where it may matter.
    let waited = withState({ $0.threadInQuestion }).map {
      Stillness.Waited(
        thread: $0, duration: .nanoseconds(ambient_thread_waited($0)), time: SystemClock.monotonic()
      )
    }
    switch withState({ $0.tick(waited: waited) }) {
    case nil: break
    case .probe(let number): probe(number)
    case .starved(let place): ScopeWatch.reportStarvation(at: place, reports)
    case .unsatisfied(let error, let requests):
      SystemThread.start {
        reports.run { Self.report(error) }
        Arrival.own.with {
          for request in requests { request.continuation.resume(throwing: error) }
        }
        self.change { _ in }
      }
    case .stalled(let error, let body, let children): end(with: error, reports, body, children)
    case .leave(let awaiter, let ending, let adopted):
      BareTasks.release(adopted)
      awaiter?.resume(returning: false)
      if let ending { ending.continuation.resume(returning: ending.leftovers) }
    }
  }

  /// Asks the pool, and the main queue, whether they do what was queued up before.
  private func probe(_ number: UInt64) {
    Task.detached {
      await MainActor.run {}
      self.withState { $0.stillness.answered = number }
    }
  }

  /// On a thread of its own, since it calls others: who takes the report, and handlers of
  /// cancellation.
  private func end(
    with error: VirtualTimeError, _ reports: AmbientScope, _ body: VirtualState.Body?,
    _ children: [VirtualState.Child]
  ) {
    SystemThread.start {
      reports.run { Self.report(error) }
      self.withState { $0.stillness.isReported = true }
      self.tell(.error(error))
      Arrival.own.with {
        body?.cancel()
        for child in children { child.cancel?() }
      }
      // Starts a drainer, which goes on if somebody heeds that.
      self.change { _ in }
    }
  }

  private static func report(_ error: VirtualTimeError) {
    Diagnostics.report(Diagnostic(.stalled, source: "Time.virtual", error.description))
  }
}
