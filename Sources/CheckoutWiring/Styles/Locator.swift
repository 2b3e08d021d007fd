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
  /// - Returns: A container from which the services of all levels can be had.
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
/// It answers for the protocol, as is usual, and also for the standard service itself.
public struct RewardsFactory: ServiceFactory {
  /// A factory.
  public init() {}

  /// Whether it makes a service of that type.
  ///
  /// - Parameter service: The type that was asked for.
  public func supports(_ service: Any.Type) -> Bool {
    service == (any RewardsService).self || service == StandardRewardsService.self
  }

  /// Makes one, on the customer service that is found.
  ///
  /// - Parameter resolver: Finds the customer service.
  /// - Throws: ``ResolutionError`` if no customer service is registered.
  public func make(_ resolver: any Resolver) throws -> any RewardsService {
    StandardRewardsService(customers: try resolver.resolve())
  }
}

// MARK: A resolver of one's own: finds services of many types

/// Finds the services of plug-ins, which are known only while the program runs.
///
/// `Container(parent: plugIns)` asks it for services that are not registered there.
public struct PlugIns: Resolver {
  private let services: [any Sendable]

  /// The services of some plug-ins.
  ///
  /// - Parameter services: The services, the first of which counts where several fit.
  public init(_ services: [any Sendable]) { self.services = services }

  /// Finds the first that fits; none of them has a name, or is made of arguments.
  ///
  /// - Parameters:
  ///   - service: The type that one of them must have, or conform to.
  ///   - request: The name and the arguments, of which there must be none, and the line that asks.
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
