/// Makes services of one type from the services of a resolver.
public protocol ServiceFactory<Service>: Sendable {
  /// The type of the service.
  associatedtype Service: Sendable

  /// Whether it makes services for that type; by default for ``Service`` only.
  ///
  /// The made service must then be of that type, too: for example a class that is requested by its
  /// protocol.
  func supports(_ service: Any.Type) -> Bool

  /// Makes one.
  func make(_ resolver: any Resolver) throws -> Service
}

extension ServiceFactory {
  /// Whether that is the type of its service.
  public func supports(_ service: Any.Type) -> Bool { service == Service.self }
}

/// A factory that is a closure.
public struct BasicServiceFactory<Service: Sendable>: ServiceFactory {
  private let body: @Sendable (any Resolver) throws -> Service

  /// A factory that returns the closure's result.
  public init(
    _ service: Service.Type = Service.self,
    make body: @escaping @Sendable (any Resolver) throws -> Service
  ) {
    self.body = body
  }

  /// Makes one.
  public func make(_ resolver: any Resolver) throws -> Service { try body(resolver) }
}

/// A factory of any type, so that a list can hold several.
public struct AnyServiceFactory: ServiceFactory {
  /// The type of the service.
  public let service: Any.Type
  private let isSupported: @Sendable (Any.Type) -> Bool
  private let body: @Sendable (any Resolver) throws -> any Sendable

  /// The factory, without its type.
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
  public func supports(_ service: Any.Type) -> Bool { isSupported(service) }

  /// Makes one.
  public func make(_ resolver: any Resolver) throws -> any Sendable { try body(resolver) }
}
