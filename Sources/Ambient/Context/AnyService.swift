/// A type-erased service, which is how the process and the scopes store it.
///
/// Not generic, because generic code would look up the service's type at run time, which costs
/// several times as much as its other work.
@usableFromInline
struct AnyService: Sendable {
  /// The service, or the `ServiceBox` that holds it.
  let object: any AnyObject & Sendable
  /// Whether the service is an `AmbientService`, or its context counts places by an `InForce`.
  let isService: Bool

  var bits: UInt { UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }

  var service: (any AmbientService)? {
    guard isService else { return nil }
    return object as? any AmbientService
      ?? (object as? any ServiceHolder)?.held as? any AmbientService
  }
}

/// Holds a service that is not an object.
@usableFromInline
final class ServiceBox<Service: Sendable>: ServiceHolder {
  @usableFromInline let service: Service

  @inlinable init(_ service: Service) { self.service = service }

  var held: any Sendable { service }
}

/// A `ServiceBox` without its type.
protocol ServiceHolder: AnyObject, Sendable {
  var held: any Sendable { get }
}

/// Called when a service gains a place (`change` is 1) or loses one (−1). A place is the process,
/// or a scope's slot.
///
/// It is called for the new service before any reader can find that service, and afterwards for the
/// replaced service. A `nil` service is the process's default before it is made: its place counts
/// from launch, without a call. `ofProcess` is true for the process's place, whose services are
/// never freed. Called without a lock, on any thread.
@usableFromInline
typealias InForce =
  @Sendable (
    _ service: (any AnyObject & Sendable)?, _ change: Int, _ ofProcess: Bool
  ) -> Void
