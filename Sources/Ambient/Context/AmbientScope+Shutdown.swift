extension AmbientScope {
  /// Stops the process's services, the last context that was put to use first.
  ///
  /// Each service that is an ``AmbientService`` delivers what it holds, one after another, so that
  /// a service can still use those that were set up before it. Each has an equal share of the time
  /// that is left, so that one that is stuck does not cost the others theirs; it is left behind and
  /// reported to ``Diagnostics``. Call this once, at the end of the program.
  ///
  /// - Parameter deadline: How long it may take in all, in real time.
  /// - Returns: The contexts whose services missed their deadline; empty if all went well.
  @discardableResult
  public static func shutdown(deadline: Duration = .seconds(10)) async -> [String] {
    let end = ContinuousClock.now + deadline
    var known: Set<ObjectIdentifier> = []
    let stoppable = Registry.entries.reversed().flatMap { entry in
      entry.services.reversed().compactMap { service in
        (service as? any AmbientService).flatMap { service in
          isFirst(service, &known) ? (name: entry.name, service: service) : nil
        }
      }
    }
    var late: [String] = []
    for (index, (name, service)) in stoppable.enumerated() {
      let now = ContinuousClock.now
      let share = (end - now) / (stoppable.count - index)
      guard await !stop(service, by: now + share) else { continue }
      late.append(name)
      Diagnostics.report(
        Diagnostic(
          .shutdown, source: "\(name).instance",
          "did not stop within \(share): what it still holds may be lost."))
    }
    return late
  }

  /// Whether no such object is known yet: one may have been put to use several times.
  private static func isFirst(
    _ service: any AmbientService, _ known: inout Set<ObjectIdentifier>
  ) -> Bool {
    // A value has no identity, only a passing one in the box that a cast makes.
    guard type(of: service) is AnyClass else { return true }
    return known.insert(ObjectIdentifier(service as AnyObject)).inserted
  }

  /// Whether the service stopped in time. One that did not goes on by itself: nothing can end it.
  private static func stop(
    _ service: any AmbientService, by end: ContinuousClock.Instant
  ) async -> Bool {
    let (outcomes, outcome) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let stopping = Task.detached {
      await service.shutdown(deadline: end)
      outcome.yield(true)
    }
    let timer = Task.detached {
      try? await ContinuousClock().sleep(until: end)
      if !Task.isCancelled { outcome.yield(false) }
    }
    // In a task of its own: the caller's may be cancelled, as at the end of many programs, and
    // would not wait.
    let stopped = await Task.detached { await outcomes.first { _ in true } ?? false }.value
    timer.cancel()
    if !stopped { stopping.cancel() }
    return stopped
  }
}
