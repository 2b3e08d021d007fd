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
    let stoppable = Registry.entries.reversed().flatMap { entry in
      entry.services.reversed().compactMap { service in
        (service as? any AmbientService).map { (name: entry.name, service: $0) }
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
    let stopped = await outcomes.first { _ in true } ?? false
    timer.cancel()
    if !stopped { stopping.cancel() }
    return stopped
  }
}
