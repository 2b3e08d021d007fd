extension AmbientScope {
  /// Stops the process's services, the last context that was put to use first.
  ///
  /// Each service that is an ``AmbientService`` delivers what it holds, one after another, so that
  /// a service can still use those that were set up before it. One that misses the deadline is
  /// left behind and reported to ``Diagnostics``. Call it once, at the end of the program.
  ///
  /// - Parameter deadline: How long it may take in all, in real time.
  /// - Returns: The names of the contexts whose services missed the deadline; empty if all went well.
  @discardableResult
  public static func shutdown(deadline: Duration = .seconds(10)) async -> [String] {
    let end = ContinuousClock.now + deadline
    var late: [String] = []
    for entry in Registry.entries.reversed() {
      let services = entry.services.reversed().compactMap { $0 as? any AmbientService }
      var finished = true
      for service in services where await !stop(service, by: end) { finished = false }
      guard !finished else { continue }
      late.append(entry.name)
      Diagnostics.report(
        Diagnostic(
          .shutdown, source: "\(entry.name).instance",
          "\(entry.name) did not stop within \(deadline): what it still holds may be lost."))
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
