extension AmbientScope {
  /// Stops the process's services, the last context that was put to use first; inside an isolating
  /// scope, those of the scope alone.
  ///
  /// Each service that is an ``AmbientService`` delivers what it holds, one after another, so that
  /// a service can still use those that were set up before it. Each has an equal share of the time
  /// that is left, so that one that is stuck does not cost the others theirs; it is left behind and
  /// reported to ``Diagnostics``. Services that were replaced have delivered what they held then:
  /// they are stopped beside the others, and take no share. Call this once, at the end of the
  /// program.
  ///
  /// - Parameter deadline: How long it may take in all, in real time.
  /// - Returns: The contexts whose services missed their deadline; empty if all went well.
  @discardableResult
  public static func shutdown(deadline: Duration = .seconds(10)) async -> [String] {
    let end = ContinuousClock.now + deadline
    let (inForce, replaced) = stoppable
    return await withTaskGroup(of: String?.self) { group in
      for service in replaced { group.addTask { await service.stop(by: end) } }
      var late: [String] = []
      for (index, service) in inForce.enumerated() {
        let now = ContinuousClock.now
        let share = (end - now) / (inForce.count - index)
        if let name = await service.stop(by: now + share) { late.append(name) }
      }
      for await name in group { if let name { late.append(name) } }
      return late
    }
  }

  /// Which services are to be stopped here, each once though it was put to use several times, the
  /// last first.
  private static var stoppable: (inForce: [Stoppable], replaced: [Stoppable]) {
    let places =
      (Bindings.isolation?.takeUnretainedValue()).map { isolation in
        isolation.all.map { ($0.name, $0.assignments) }
      } ?? ContextRegistry.entries.map { ($0.name, $0.assignments) }
    var known: Set<ObjectIdentifier> = []
    func first(_ name: String, _ assignments: some Sequence<Assignment>) -> [Stoppable] {
      assignments.compactMap(\.service).filter {
        $0.identity.map { known.insert($0).inserted } ?? true
      }.map { Stoppable(name: name, service: $0) }
    }
    let inForce = places.reversed().flatMap { first($0, $1.suffix(1)) }
    let replaced = places.reversed().flatMap { first($0, $1.dropLast().reversed()) }
    return (inForce, replaced)
  }
}

/// One service that is to be stopped.
private struct Stoppable: Sendable {
  let name: String
  let service: any AmbientService

  /// Stops the service; gives the name if it was late, which is reported.
  func stop(by end: ContinuousClock.Instant) async -> String? {
    let start = ContinuousClock.now
    guard await !isStopped(by: end) else { return nil }
    Diagnostics.report(
      Diagnostic(
        .shutdown, source: "\(name).instance",
        "did not stop within \(end - start): what it still holds may be lost."))
    return name
  }

  /// Whether the service stopped in time. One that did not goes on by itself: nothing can end it.
  private func isStopped(by end: ContinuousClock.Instant) async -> Bool {
    let (outcomes, outcome) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let stopping = Task.detached { [service] in
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
