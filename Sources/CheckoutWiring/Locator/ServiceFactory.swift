/// Makes services of one type, of what a resolver finds.
public protocol ServiceFactory<Service>: Sendable {
  /// What it makes.
  associatedtype Service: Sendable

  /// Whether it answers for that type; if the factory does not say, for ``Service`` only.
  ///
  /// What it makes must then be of that type, too: a class, say, that is asked for by its protocol.
  func supports(_ service: Any.Type) -> Bool

  /// Makes one.
  func make(_ resolver: any Resolver) throws -> Service
}

extension ServiceFactory {
  /// Whether that is the type of what it makes.
  public func supports(_ service: Any.Type) -> Bool { service == Service.self }
}

/// A factory that is a closure.
public struct BasicServiceFactory<Service: Sendable>: ServiceFactory {
  private let body: @Sendable (any Resolver) throws -> Service

  /// The factory that makes what the closure returns.
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
  /// What the factory makes.
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
