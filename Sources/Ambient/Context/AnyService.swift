// SPDX-License-Identifier: Apache-2.0

/// A type-erased service, the form in which the process and the scopes store services.
///
/// This type is not generic, because a generic type would look up the service's type at run time,
/// which costs several times as much as the rest of a read.
struct AnyService: Sendable {
  /// The service, or the `ServiceBox` that holds it.
  let object: any AnyObject & Sendable
  let counting: Counting

  /// The objects that count as installed or removed together with the service.
  enum Counting: Sendable {
    /// Nothing, because the service is not an `AmbientService`.
    case nothing
    /// The service itself, if it is an `AmbientService`.
    case service
    /// The parts of the service, which is a `ServiceGroup`.
    case parts
  }

  /// Whether the service may be an `AmbientService`, so that its installations are counted.
  var isService: Bool { counting != .nothing }

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

/// The type-erased form of a `ServiceBox`.
protocol ServiceHolder: AnyObject, Sendable {
  var held: any Sendable { get }
}
