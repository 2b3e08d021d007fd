/// Told by how many the places grow where `service` is in force: the process, or a scope's slot.
///
/// It hears of a new service before any reader can find it, and of the end of the one that was
/// replaced after that. A `nil` service is the default that the process has not made yet: it counts
/// from launch, with no call. Called without a lock, on any thread.
@usableFromInline
typealias InForce<Service> = @Sendable (_ service: Service?, _ change: Int) -> Void
