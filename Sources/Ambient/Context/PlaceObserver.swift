/// Called when a service is installed in the process or in a slot of a scope (`change` is 1), and
/// when it is removed from there (`change` is −1).
///
/// The observer is called for a new service before any reader can find that service, and afterwards
/// for the service that it replaced. `ofProcess` is true if the service is installed in, or removed
/// from, the process, which never frees its services. Called without a lock, on any thread.
///
/// Until the process has an instance, its default counts as installed, although no call reports
/// that. When the process gets its first instance, the observer is called with `service` nil and
/// `change` −1.
@usableFromInline
typealias PlaceObserver =
  @Sendable (
    _ service: (any AnyObject & Sendable)?, _ change: Int, _ ofProcess: Bool
  ) -> Void
