/// A service that was assigned to a place, in the form that all places share.
///
/// Not generic: code that looks up the types of services at run time would cost several times as
/// much as what it does.
@usableFromInline
struct Assignment: Sendable {
  /// The service, or the `ServiceBox` that holds it.
  let object: any AnyObject & Sendable
  /// Whether it wants to know when it is in force nowhere any more.
  let isService: Bool

  var bits: UInt { UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }

  /// The service as what wants to know, if it does.
  var service: (any AmbientService)? {
    guard isService else { return nil }
    return object as? any AmbientService
      ?? (object as? any ServiceHolder)?.held as? any AmbientService
  }
}

/// Holds a service that is no object by itself.
@usableFromInline
final class ServiceBox<Service: Sendable>: ServiceHolder {
  @usableFromInline let service: Service

  @inlinable init(_ service: Service) { self.service = service }

  var held: any Sendable { service }
}

/// What a box says without its type.
protocol ServiceHolder: AnyObject, Sendable {
  var held: any Sendable { get }
}

/// Told by how many the places grow where a service is in force: the process, or a scope's slot.
///
/// It hears of a new service before any reader can find it, and of the end of the one that was
/// replaced after that. A `nil` service is the default that the process has not made yet: it counts
/// from launch, with no call. What the process had is kept for good, which is told, too. Called
/// without a lock, on any thread.
@usableFromInline
typealias InForce =
  @Sendable (
    _ service: (any AnyObject & Sendable)?, _ change: Int, _ ofProcess: Bool
  ) -> Void
