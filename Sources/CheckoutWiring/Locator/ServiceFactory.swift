/// Makes services of one type from the services of a resolver.
public protocol ServiceFactory<Service>: Sendable {
  /// The type of the service.
  associatedtype Service: Sendable

  /// Whether the factory makes services for a requested type; by default only for ``Service``.
  ///
  /// The made service must then be of that type, too: for example a class that is requested by its
  /// protocol.
  ///
  /// - Parameter service: The requested type, if no registration has it.
  func supports(_ service: Any.Type) -> Bool

  /// Makes one.
  ///
  /// - Parameter resolver: Finds the services that the new one needs.
  /// - Returns: The service; the container keeps it where it is registered so.
  /// - Throws: Any error, which a ``ResolutionError`` then quotes.
  func make(_ resolver: any Resolver) throws -> Service
}

extension ServiceFactory {
  /// Whether that is the type of its service.
  ///
  /// - Parameter service: The type that was asked for.
  public func supports(_ service: Any.Type) -> Bool { service == Service.self }
}

/// A factory that is a closure.
public struct BasicServiceFactory<Service: Sendable>: ServiceFactory {
  private let body: @Sendable (any Resolver) throws -> Service

  /// A factory that returns the closure's result.
  ///
  /// - Parameters:
  ///   - service: The type of the service, as a protocol; by default that of the closure's result.
  ///   - body: Makes a service from the services of the given resolver.
  public init(
    _ service: Service.Type = Service.self,
    make body: @escaping @Sendable (any Resolver) throws -> Service
  ) {
    self.body = body
  }

  /// Makes one.
  ///
  /// - Parameter resolver: Finds the services that the new one needs.
  /// - Returns: The closure's result.
  /// - Throws: The error of the closure.
  public func make(_ resolver: any Resolver) throws -> Service { try body(resolver) }
}

/// A factory of any type, so that a list can hold several.
public struct AnyServiceFactory: ServiceFactory {
  /// The type of the service.
  public let service: Any.Type
  private let isSupported: @Sendable (Any.Type) -> Bool
  private let body: @Sendable (any Resolver) throws -> any Sendable

  /// The factory, without its type.
  ///
  /// - Parameter factory: The factory; one without its type is taken over as it is.
  public init<Factory: ServiceFactory>(_ factory: Factory) {
    if let factory = factory as? AnyServiceFactory {
      self = factory
    } else {
      service = Factory.Service.self
      isSupported = { factory.supports($0) }
      body = { try factory.make($0) }
    }
  }

  /// Whether the factory answers for that type.
  ///
  /// - Parameter service: The type that was asked for.
  public func supports(_ service: Any.Type) -> Bool { isSupported(service) }

  /// Makes one.
  ///
  /// - Parameter resolver: Finds the services that the new one needs.
  /// - Returns: The service of the factory.
  /// - Throws: The error of the factory.
  public func make(_ resolver: any Resolver) throws -> any Sendable { try body(resolver) }
}
