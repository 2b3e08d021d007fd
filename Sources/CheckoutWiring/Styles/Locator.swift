// SPDX-License-Identifier: Apache-2.0

// The service locator: each service is registered once in a container, and is requested from the
// container by its type while the program runs.
//
// ```swift
// let container = Container.standard(MemoryCustomerRepository())
// let customers: any CustomerService = try container.resolve()
// let rewards = try container.resolve((any RewardsService).self)
// ```
//
// This style is right at the edge of a program, where types are known only at run time, as with
// plug-ins, or where a framework makes your objects. The style fails at run time: if a registration
// is missing, a request throws a `ResolutionError` that names the requesting type, the requested
// type and the place. In a test, `check()` finds the fault. The style is wrong where types are
// known at compile time, and above all as a dependency of a type, because it hides which services
// the type needs.

// MARK: A container: never changes, each registration returns a new one

extension Container {
  /// Creates a container, and registers the given repository and all other services in it.
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

// MARK: A factory: makes one service, and says which requested types it supports

/// Makes the rewards service.
///
/// It supports requests for the protocol, as is usual, and also for the standard service itself.
public struct RewardsFactory: ServiceFactory {
  /// Creates a factory.
  public init() {}

  /// Whether the factory makes services for the requested type.
  ///
  /// - Parameter service: The requested type.
  public func supports(_ service: Any.Type) -> Bool {
    service == (any RewardsService).self || service == StandardRewardsService.self
  }

  /// Makes a rewards service that uses the customer service found by the resolver.
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

  /// Finds the first service of the requested type; a request with a name or arguments finds none.
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
