/// A service that holds work back, and so must be told when it is replaced and stopped.
///
/// ``Log`` and ``Analytics`` are such services. Conform a service of your own to have it flushed
/// once it is in force nowhere, and stopped by ``AmbientScope/shutdown(deadline:)``.
public protocol AmbientService: Sendable {
  /// Delivers what the service holds, or starts a delivery that takes long; never waits for a
  /// network.
  ///
  /// Called in two cases, if the service is in force nowhere else: another instance took its place
  /// (on the assigning thread), or the last scope that held it ended (on the thread that ended it).
  /// A value has no identity, so each of its places counts as a service of its own. The call runs
  /// in the scope of that place, which need not be the one that made the service. Other threads may
  /// still call the service, and it may come into force again. It must not fail: a service counts
  /// and reports its troubles.
  func flush()

  /// Delivers what the service holds, and ends what it started, by the deadline.
  ///
  /// Called once, at the end of the program or of an isolating scope that is shut down. A call of
  /// the service after this must do no harm.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting; deliver until then.
  func shutdown(deadline: ContinuousClock.Instant) async
}

extension AmbientService {
  public func flush() {}

  public func shutdown(deadline: ContinuousClock.Instant) async { flush() }
}

/// A service that forwards everything to others, as ``MultiLog`` does.
///
/// Its places count for its members, which are stopped in its stead.
protocol ServiceGroup: AmbientService {
  var members: [any AmbientService] { get }
}

extension [any AmbientService] {
  /// Stops all at once, so that one that hangs takes no time from the others.
  ///
  /// Called from ``AmbientScope/shutdown(deadline:)``, each service has a thread of its own to
  /// block.
  func shutdown(deadline: ContinuousClock.Instant) async {
    // A child task would have to wait for a second thread.
    if count == 1 { return await self[0].shutdown(deadline: deadline) }
    await withTaskGroup { group in
      for service in self { group.addTask { await service.shutdown(deadline: deadline) } }
    }
  }
}

/// Counts the places of each service that does not count them itself.
enum ServicePlaces {
  private static let counts = Guarded<[ObjectIdentifier: Int]>([:])

  /// Adds `change` to the count, and flushes a service whose last place is gone.
  static func change(_ assignment: AnyService, by change: Int) {
    guard let service = assignment.service else { return }
    // A value has no identity: each place counts for itself.
    let isLast =
      service.identity.map { identity in
        counts.withLock { counts in
          let count = counts[identity, default: 0] + change
          counts[identity] = count > 0 ? count : nil
          return count == 0
        }
      } ?? (change < 0)
    if isLast { service.flush() }
  }
}

extension AmbientService {
  /// The service itself, or the final members of a group.
  var parts: [any AmbientService] {
    (self as? any ServiceGroup)?.members.flatMap(\.parts) ?? [self]
  }

  /// The object's identity; nil for a value, whose box is made anew by each cast.
  var identity: ObjectIdentifier? {
    type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
  }
}
