// SPDX-License-Identifier: Apache-2.0

/// A service that buffers work, and must deliver that work when the service is replaced or the
/// program stops.
///
/// ``Log`` and ``Analytics`` are such services. Conform a service of your own to have it flushed
/// once it is installed neither in the process nor in any scope, and stopped by
/// ``AmbientScope/shutdown(within:)``.
public protocol AmbientService: Sendable {
  /// Delivers what the service holds, or only starts the delivery if it takes long; never waits for
  /// a network.
  ///
  /// By default, this does nothing. It is called once the service is installed neither in the
  /// process nor in any scope. The call is made on the thread that assigned another instance in
  /// place of the service, or on the thread that ended the last scope that held the service, so a
  /// wait delays that thread. It runs in the current scope of that thread, which need not be the
  /// scope that made the service. Other threads may still call the service, and it may be installed
  /// again. `flush` must not fail: a service counts and reports its own failures. A service of a
  /// value type has no identity, so each installation of it counts as a separate service.
  func flush()

  /// Delivers what the service holds, and ends the work that the service started, by the deadline.
  ///
  /// By default, this only calls ``flush()``. Each call of ``AmbientScope/shutdown(within:)`` calls
  /// it once for a class instance, and once for each installation of a value. The task of a service
  /// that is late is cancelled, and the service is reported to ``Diagnostics``. Later calls of the
  /// service's methods, also of this one, must do no harm.
  ///
  /// - Parameter deadline: The instant at which the caller stops waiting for the service.
  func shutdown(deadline: ContinuousClock.Instant) async
}

extension AmbientService {
  public func flush() {}

  public func shutdown(deadline: ContinuousClock.Instant) async { flush() }
}

extension [any AmbientService] {
  /// Stops all the services at the same time, so that a service that hangs does not delay the
  /// others.
  ///
  /// Under ``AmbientScope/shutdown(within:)``, each service runs on a thread of its own, which it
  /// may block.
  func shutdown(deadline: ContinuousClock.Instant) async {
    // A single service is called directly, because a child task would need a second thread of
    // `BlockingExecutor`.
    if count == 1 { return await self[0].shutdown(deadline: deadline) }
    await withTaskGroup { group in
      for service in self { group.addTask { await service.shutdown(deadline: deadline) } }
    }
  }
}

/// A service that forwards everything to its members, which are other services. Example:
/// ``MultiLog``.
///
/// When a context with an `InstallationObserver` installs or removes a group, each of the members
/// counts as installed or removed instead of the group. A shutdown stops the members instead of the
/// group.
protocol ServiceGroup: AmbientService {
  var members: [any AmbientService] { get }
}

extension AmbientService {
  /// The service itself; for a group, its members, with nested groups replaced by their members.
  var parts: [any AmbientService] {
    (self as? any ServiceGroup)?.members.flatMap(\.parts) ?? [self]
  }

  /// The identity of a class instance. Nil for a value, because each cast of a value to `AnyObject`
  /// makes a new object.
  var identity: ObjectIdentifier? {
    type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
  }
}
