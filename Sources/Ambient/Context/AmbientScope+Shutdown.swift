// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

extension AmbientScope {
  /// Stops the process's services, in reverse order of their contexts' first use; inside an
  /// isolating scope, stops only the scope's services.
  ///
  /// Services that are an ``AmbientService`` deliver what they hold, one after another, so that a
  /// service can still use those that were set up before it. Each gets an equal share of the
  /// remaining time, so that a stuck service takes no time from the others. A service that exceeds
  /// its share is abandoned: its task is cancelled, and the service is reported to ``Diagnostics``.
  /// A service that a `withInstance` block binds is not stopped here, but flushed when its scope
  /// ends. Replaced services, which were flushed when they were replaced, stop at the same time as
  /// the others and take no share. Call this once, at the end of the program; a later call
  /// stops the services again.
  ///
  /// Each service stops on threads of its own, which it may block. If the system cannot start a
  /// thread, the service is reported as late. A service that blocks other threads, such as the main
  /// thread or (by detached tasks) those of the concurrency pool, may keep this function from
  /// returning.
  ///
  /// - Parameter limit: The time for all services together, in real time. If it is zero or
  ///   negative, the services are asked to stop but not awaited, and usually count as late.
  /// - Returns: The names of the contexts whose services were late; empty if none was late. A name
  ///   is repeated if several services of its context were late.
  @discardableResult
  public static func shutdown(within limit: Duration = .seconds(10)) async -> [String] {
    // The limit is at most 136 years, because the longest durations would overflow the clock.
    let end = RealTime.now + min(max(limit, .zero), .seconds(1 << 32))
    let (current, replaced) = stoppable
    guard !current.isEmpty || !replaced.isEmpty else { return [] }
    // A separate thread waits for the services. A task could not, because the services may block
    // all threads of the concurrency pool.
    let late = await withUnsafeContinuation { done in
      SystemThread.start { done.resume(returning: stop(current, replaced, by: end)) }
    }
    for stoppable in late {
      Diagnostics.report(
        .shutdown, source: "\(stoppable.name).instance",
        lateness(stoppable.limit))
    }
    return late.map(\.name)
  }

  static func lateness(_ limit: Duration) -> String {
    "did not stop within \(limit), so its data may be lost; allow more time."
  }

  /// Stops the services, and blocks the calling thread meanwhile. Returns the services that were
  /// late, with their time limits.
  private static func stop(
    _ current: [Stoppable], _ replaced: [Stoppable], by end: ContinuousClock.Instant
  ) -> [(name: String, limit: Duration)] {
    let threads = BlockingExecutor()
    let start = ContinuousClock.now
    let beside = replaced.map { Stopping($0, by: end, on: threads) }
    var late: [(String, Duration)] = []
    for (index, service) in current.enumerated() {
      let now = ContinuousClock.now
      let share = max(end - now, .zero) / (current.count - index)
      if !Stopping(service, by: now + share, on: threads).hasStopped() {
        late.append((service.name, share))
      }
    }
    for stopping in beside where !stopping.hasStopped() {
      late.append((stopping.name, end - start))
    }
    return late
  }

  /// The services of the current isolating scope, or those of the process if no such scope is
  /// current. Their contexts are in reverse order of first use. Each service is listed once, even
  /// if several contexts have it, or several groups contain it.
  private static var stoppable: (current: [Stoppable], replaced: [Stoppable]) {
    let contexts =
      (Bindings.isolation?.takeUnretainedValue()).map { isolation in
        isolation.all.map { ($0.name, $0.assignments) }
      } ?? ContextRegistry.entries.map { ($0.name, $0.assignments) }
    var known: Set<ObjectIdentifier> = []
    func first(_ name: String, _ assignments: some Sequence<AnyService>) -> [Stoppable] {
      assignments.compactMap { assignment in
        let services = assignment.service?.parts.filter { part in
          part.identity.map { known.insert($0).inserted } ?? true
        }
        guard let services, !services.isEmpty else { return nil }
        return Stoppable(name: name, services: services)
      }
    }
    let current = contexts.reversed().flatMap { first($0, $1.suffix(1)) }
    let replaced = contexts.reversed().flatMap { first($0, $1.dropLast().reversed()) }
    return (current, replaced)
  }
}

/// A service to stop, or the members of a group to stop together, and the name of the context.
private struct Stoppable: Sendable {
  let name: String
  let services: [any AmbientService]
}

/// The running shutdown of a `Stoppable`.
private struct Stopping {
  let name: String
  private let end: ContinuousClock.Instant
  private let stopped = DispatchSemaphore(value: 0)
  private let task: Task<Void, Never>

  init(_ stoppable: Stoppable, by end: ContinuousClock.Instant, on threads: BlockingExecutor) {
    name = stoppable.name
    self.end = end
    task = Task.detached(executorPreference: threads) { [stopped, services = stoppable.services] in
      await services.shutdown(deadline: end)
      stopped.signal()
    }
  }

  /// Waits for the service. Returns whether the service stopped in time.
  ///
  /// The task of a late service is cancelled. The service may still run after that, because
  /// cancellation does not interrupt a thread that the service blocks.
  func hasStopped() -> Bool {
    let (seconds, attoseconds) = max(end - .now, .zero).components
    let left = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    let isInTime = stopped.wait(timeout: .now() + .nanoseconds(left)) == .success
    if !isInTime { task.cancel() }
    return isInTime
  }
}
