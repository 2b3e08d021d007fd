/// Called when a service is installed in the process or in a slot of a scope (`change` is 1), and
/// when it is removed from there (`change` is −1). For a `ServiceGroup`, called for each of its
/// parts instead.
///
/// The observer is called for a new service before any reader can find that service, and afterwards
/// for the service that it replaced. `ofProcess` is true for the process, which never frees its
/// services, and false for a slot of a scope. The observer is called without a lock, on any thread.
///
/// Before the process has its first instance, the context's default counts as installed in the
/// process, although no call reports that. When the first instance is installed, a call with
/// `service` nil and `change` −1 reports that the default no longer counts.
@usableFromInline
typealias InstallationObserver =
  @Sendable (_ service: AnyObject?, _ change: Int, _ ofProcess: Bool) -> Void
