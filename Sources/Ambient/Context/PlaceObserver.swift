/// Called when a service gains a place (`change` is 1) or loses one (−1). A place is the process,
/// or a scope's slot.
///
/// It is called for the new service before any reader can find that service, and afterwards for the
/// replaced service. A `nil` service is the process's default before it is made: its place counts
/// from launch, without a call. `ofProcess` is true for the process's place, whose services are
/// never freed. Called without a lock, on any thread.
@usableFromInline
typealias PlaceObserver =
  @Sendable (
    _ service: (any AnyObject & Sendable)?, _ change: Int, _ ofProcess: Bool
  ) -> Void
