/// Called when a service gains a place (`change` is 1) or loses one (−1). A place is the process,
/// or a scope's slot.
///
/// The observer is called for the new service before any reader can find that service, and
/// afterwards for the replaced service. A `nil` service stands for the process's default while that
/// is not made yet. It has the process's place from launch, which no call reports, and loses the
/// place to the process's first instance. `ofProcess` is true for the process's place, whose
/// services are never freed. Called without a lock, on any thread.
@usableFromInline
typealias PlaceObserver =
  @Sendable (
    _ service: (any AnyObject & Sendable)?, _ change: Int, _ ofProcess: Bool
  ) -> Void
