// The service locator: a container is told once how each service is made, and is asked for
// services by their types while the program runs.
//
// ```swift
// let container = Container.standard(MemoryCustomerRepository())
// let customers: any CustomerService = try container.resolve()
// let rewards = try container.resolve((any RewardsService).self)
// ```
//
// Right at the edge, where types are known only at run time: plug-ins, a framework that makes your
// objects. It fails while it runs: a missing registration throws a `ResolutionError`, with the
// requesting and the requested type, and the place; `check()` finds it in a test. It is wrong where
// types are known when the program is written, and above all as a dependency of a type: it hides
// the type's needs.

// MARK: A container: never changes, each registration makes another one

extension Container {
  /// The services on a repository.
  ///
  /// - Parameter repository: The repository of the customers.
  /// - Returns: A container with the services of all levels.
  public static func standard(_ repository: any CustomerRepository) -> Container {
    Container()
      .register((any CustomerRepository).self, repository)  // an instance
      .register((any PasswordVerifier).self, SystemPasswordVerifier())
      .register((any CustomerService).self, .once) { resolver in  // a closure
        StandardCustomerService(
          repository: try resolver.resolve(), passwords: try resolver.resolve())
      }
      .register(RewardsFactory(), .once)  // a factory
  }
}

// MARK: A factory: makes one service, of what a resolver finds, and says what it supports

/// Makes the rewards service.
///
/// It supports the protocol, as is usual, and also the standard service itself.
public struct RewardsFactory: ServiceFactory {
  /// Creates a factory.
  public init() {}

  /// Whether it makes services of that type.
  ///
  /// - Parameter service: The requested type.
  public func supports(_ service: Any.Type) -> Bool {
    service == (any RewardsService).self || service == StandardRewardsService.self
  }

  /// Makes a rewards service, on the customer service that the resolver finds.
  ///
  /// - Parameter resolver: Finds the customer service.
  /// - Throws: ``ResolutionError`` if no customer service is registered.
  public func make(_ resolver: any Resolver) throws -> any RewardsService {
    StandardRewardsService(customers: try resolver.resolve())
  }
}

// MARK: A resolver of one's own: finds services of many types

/// Finds the services of plug-ins, which are known only at run time.
///
/// `Container(parent: plugIns)` uses it for services that are not registered in the container.
public struct PlugIns: Resolver {
  private let services: [any Sendable]

  /// Creates a resolver of the services of some plug-ins.
  ///
  /// - Parameter services: The services; if several fit a request, the first is used.
  public init(_ services: [any Sendable]) { self.services = services }

  /// Finds the first service that fits; it finds none by name or by arguments.
  ///
  /// - Parameters:
  ///   - service: The type that the service must have, or conform to.
  ///   - request: The requesting line; a name or arguments are not supported.
  /// - Throws: ``ResolutionError`` if none fits.
  public func resolve<Service: Sendable>(
    _ service: Service.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> Service {
    if request.name == nil, request.arguments.isEmpty {
      for case let found as Service in services { return found }
    }
    throw request.error(.missing, service)
  }
}
