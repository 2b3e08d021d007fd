/// A type-erased service, as every place stores it.
///
/// Not generic: code that looks up the types of services at run time costs several times its work.
@usableFromInline
struct AnyService: Sendable {
  /// The service, or the `ServiceBox` that holds it.
  let object: any AnyObject & Sendable
  /// Whether it is an `AmbientService`, or its context counts places by an `InForce`.
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

/// Called with the change in the number of places (the process, or a scope's slot) of a service.
///
/// It is called for the new service before any reader can find it, and after that for the replaced
/// one. A `nil` service is the process's default before it is made: its place counts from launch,
/// without a call. `ofProcess` is true for the process's place, whose services are kept for good.
/// Called without a lock, on any thread.
@usableFromInline
typealias InForce =
  @Sendable (
    _ service: (any AnyObject & Sendable)?, _ change: Int, _ ofProcess: Bool
  ) -> Void
