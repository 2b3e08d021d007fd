internal import Ambient

/// The time for which a container shares a service that it made.
public enum ServiceLifetime: String, Hashable, Sendable, CaseIterable {
  /// Not shared: each request makes a new service.
  case eachTime
  /// Shared as long as the container lives.
  case once
  /// Shared within one request of the program, in all containers that it passes through.
  case oncePerResolution
}

/// A type, and a name where several services have it.
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

/// One line of a container, and of those made from it: how a service is made.
struct Registration: Sendable {
  final class Identity: Sendable {}

  /// The same in all containers that have the registration.
  let identity = Identity()
  let key: ServiceKey
  let place: SourcePlace
  let lifetime: ServiceLifetime
  /// The types of the arguments that ``make`` takes.
  let arguments: [String]
  let supports: @Sendable (Any.Type) -> Bool
  /// Takes the arguments, and returns the maker of the service.
  let make: @Sendable (ServiceRequest) throws(ResolutionError) -> Maker

  typealias Maker = (any Resolver) throws -> any Sendable
}

/// A factory that takes arguments of these types.
struct ArgumentFactory<Service: Sendable, each Argument: Sendable>: Sendable {
  let body: @Sendable (any Resolver, repeat each Argument) throws -> Service

  var arguments: [String] {
    var names: [String] = []
    repeat names.append(String(describing: (each Argument).self))
    return names
  }

  /// Takes the arguments of a request, each of which may be of a subtype.
  func maker(_ request: ServiceRequest) throws(ResolutionError) -> Registration.Maker {
    var rest = request.arguments[...]
    func next<Value>(_ type: Value.Type) throws(ResolutionError) -> Value {
      // In two steps: nothing at all must not become nil where the factory takes an optional.
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
  /// The place of the second registration.
  let again: SourcePlace?
  // A lock that is free costs less than an `AtomicLazyReference`: with one here and one for the
  // cells of a container, a shared class and protocol took 3,092 and 3,550 instructions, and by
  // two locks 1,724 and 2,162.
  private let stored = Guarded<(any Sendable)?>(nil)

  init(_ registration: Registration, again: SourcePlace?) {
    self.registration = registration
    self.again = again
  }

  /// The service that is shared, if it was made.
  var shared: (any Sendable)? { stored.withLock { $0 } }

  /// Shares a service, unless another thread was first; returns the one that is shared.
  func share(_ service: any Sendable) -> any Sendable {
    stored.withLock { stored in
      let first = stored ?? service
      stored = first
      return first
    }
  }
}
