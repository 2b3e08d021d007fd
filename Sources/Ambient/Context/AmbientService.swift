/// A service that holds something back, and so wants to know when it is replaced and stopped.
///
/// ``Log`` and ``Analytics`` are such services. Conform a service of your own to have it flushed
/// when another one takes its place, and stopped by ``AmbientScope/shutdown(deadline:)``.
public protocol AmbientService: Sendable {
  /// Delivers what the service holds, before it returns.
  ///
  /// Called when another instance takes this one's place, on the thread that assigns it. Others
  /// may still be calling the service. Must not fail: a service counts and reports its troubles.
  func flush()

  /// Delivers what the service holds, and ends what it started, by the deadline.
  ///
  /// Called once, at the end of the program. A call of the service after this must do no harm.
  func shutdown(deadline: ContinuousClock.Instant) async
}

extension AmbientService {
  public func flush() {}

  public func shutdown(deadline: ContinuousClock.Instant) async { flush() }
}
