/// A service that holds something back, and so wants to know when it is replaced and stopped.
///
/// ``Log`` and ``Analytics`` are such services. Conform a service of your own to have it flushed
/// when it is in force nowhere any more, and stopped by ``AmbientScope/shutdown(deadline:)``.
public protocol AmbientService: Sendable {
  /// Delivers what the service holds, or starts to if that takes long: it never waits for a
  /// network.
  ///
  /// Called when another instance has taken this one's place, on the thread that assigned it, and
  /// when the last scope that held it has ended, on the thread that ended it; in both cases only
  /// if it is in force nowhere else (a value has no identity, and is another one in each place). It
  /// runs in the scope of that place, which need not be the service's. Others may still be calling
  /// the service, and it may come into force again. Must not fail: a service counts and reports its
  /// troubles.
  func flush()

  /// Delivers what the service holds, and ends what it started, by the deadline.
  ///
  /// Called once, at the end of the program or of an isolating scope that is shut down. A call of
  /// the service after this must do no harm.
  func shutdown(deadline: ContinuousClock.Instant) async
}

extension AmbientService {
  public func flush() {}

  public func shutdown(deadline: ContinuousClock.Instant) async { flush() }
}

/// A service that hands all on to others, as ``MultiLog`` does: its places are theirs, and they are
/// stopped in its stead.
protocol ServiceGroup: AmbientService {
  var members: [any AmbientService] { get }
}

extension [any AmbientService] {
  /// Stops all at once: one that hangs costs the others none of their time. Called from
  /// ``AmbientScope/shutdown(deadline:)``, each has a thread of its own if it blocks one.
  func shutdown(deadline: ContinuousClock.Instant) async {
    // A task of its own would have to wait for a thread once more.
    if count == 1 { return await self[0].shutdown(deadline: deadline) }
    await withTaskGroup { group in
      for service in self { group.addTask { await service.shutdown(deadline: deadline) } }
    }
  }
}

/// In how many places each service is in force that does not count by itself.
enum ServicePlaces {
  private static let counts = Guarded<[ObjectIdentifier: Int]>([:])

  /// Counts, and flushes a service that is in force nowhere any more.
  static func change(_ assignment: Assignment, by change: Int) {
    guard let service = assignment.service else { return }
    // A value has no identity: it is in force in the one place that it was assigned to.
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
  /// The service itself, or those to which a group hands on in the end.
  var parts: [any AmbientService] {
    (self as? any ServiceGroup)?.members.flatMap(\.parts) ?? [self]
  }

  /// What tells an object from others; a value has only a passing one, in the box of a cast.
  var identity: ObjectIdentifier? {
    type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
  }
}
