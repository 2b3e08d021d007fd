/// Called when a service is installed in the process or in a slot of a scope (`change` is 1), and
/// when it is removed from there (`change` is −1). For a `ServiceGroup`, called for each of its
/// parts instead.
///
/// The observer is called for a new service before any reader can find that service, and afterwards
/// for the service that it replaced. `ofProcess` is true for the process, which never frees its
/// services, and false for a slot of a scope. The observer is called without a lock, on any thread.
///
/// The context's default counts as installed while a read may find it, for either of two reasons:
/// the process has no instance yet, or an isolating scope is alive. A call with `service` nil
/// reports that a reason begins or ends. No call reports that the first reason begins. For the
/// second, the call is made under the lock of `ContextRegistry`, so that the changes are in order;
/// the program's code must not run under that lock.
@usableFromInline
typealias InstallationObserver =
  @Sendable (_ service: AnyObject?, _ change: Int, _ ofProcess: Bool) -> Void
