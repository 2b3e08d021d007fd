// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The time for which a container shares a service that it made.
public enum ServiceLifetime: String, Hashable, Sendable, CaseIterable {
  /// Not shared: each request makes a new service.
  case eachTime
  /// Shared as long as the container lives.
  case once
  /// Shared by all services that are made for one request of the program, in all containers that
  /// the request passes through.
  case oncePerResolution
}

/// The type of a service and, if several services have the same type, a name.
struct ServiceKey: Hashable, Sendable, CustomStringConvertible {
  let service: Any.Type
  let name: String?

  var description: String { "\(service)" + (name.map { " “\($0)”" } ?? "") }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(service))
    if let name { hasher.combine(name) }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.service == right.service && left.name == right.name
  }
}

/// The description of how a service is made. A container shares its registrations with the
/// containers that are derived from it.
struct Registration: Sendable {
  final class Identity: Sendable {}

  /// The registration's identity. Containers that share the registration share this object.
  let identity = Identity()
  let key: ServiceKey
  let place: SourcePlace
  let lifetime: ServiceLifetime
  /// The types of the arguments that ``make`` expects in a request.
  let arguments: [String]
  let supports: @Sendable (Any.Type) -> Bool
  /// Checks the arguments of a request, and returns a closure that makes the service.
  let make: @Sendable (ServiceRequest) throws(ResolutionError) -> Maker

  typealias Maker = (any Resolver) throws -> any Sendable
}

/// A factory that takes arguments of the types `Argument`.
struct ArgumentFactory<Service: Sendable, each Argument: Sendable>: Sendable {
  let body: @Sendable (any Resolver, repeat each Argument) throws -> Service

  var arguments: [String] {
    var names: [String] = []
    repeat names.append(String(describing: (each Argument).self))
    return names
  }

  /// Checks that the arguments of a request can be cast to the types `Argument`, and returns a
  /// closure that makes the service from them.
  func maker(_ request: ServiceRequest) throws(ResolutionError) -> Registration.Maker {
    var rest = request.arguments[...]
    func next<Value>(_ type: Value.Type) throws(ResolutionError) -> Value {
      // Removes and casts the argument in two steps. In a single cast, a missing argument would
      // become nil if the factory accepts an optional.
      guard let first = rest.popFirst(), let value = first as? Value else {
        throw request.wrongArguments(arguments, Service.self)
      }
      return value
    }
    let values = (repeat try next((each Argument).self))
    guard rest.isEmpty else { throw request.wrongArguments(arguments, Service.self) }
    return { try body($0, repeat each values) }
  }
}

/// A registration in one container, with the service that is shared there.
final class Cell: Sendable {
  let registration: Registration
  /// The source location of a second registration of the same key; nil if there is none.
  let again: SourcePlace?
  // The shared service is guarded by a lock, because an uncontended lock costs less than an
  // `AtomicLazyReference`. With two locks (this one, and one for the cells of a container),
  // resolving a shared class took 1,724 instructions, and resolving a shared protocol 2,162. With
  // two lazy references, the numbers were 3,092 and 3,550.
  private let stored = Guarded<(any Sendable)?>(nil)

  init(_ registration: Registration, again: SourcePlace?) {
    self.registration = registration
    self.again = again
  }

  /// The shared service, if it was made.
  var shared: (any Sendable)? { stored.withLock { $0 } }

  /// Stores `service` as the shared service, unless another thread has already stored its own.
  /// Returns the stored service.
  func share(_ service: any Sendable) -> any Sendable {
    stored.withLock { stored in
      let first = stored ?? service
      stored = first
      return first
    }
  }
}
