// SPDX-License-Identifier: Apache-2.0

/// A factory that makes services of one type, using the services of a resolver.
public protocol ServiceFactory<Service>: Sendable {
  /// The type of the service.
  associatedtype Service: Sendable

  /// Whether the factory makes services for a requested type; by default only for ``Service``.
  ///
  /// If the factory accepts a type other than `Service`, the service it makes must also be an
  /// instance of the requested type. Example: a class that was requested by its protocol.
  ///
  /// - Parameter service: The requested type. The container asks the factory only if no service is
  ///   registered under this type and the requested name.
  func supports(_ service: Any.Type) -> Bool

  /// Makes a service.
  ///
  /// - Parameter resolver: Finds the services that the new one needs.
  /// - Returns: The service; the container shares it if the registration's lifetime says so.
  /// - Throws: Any error; a ``ResolutionError`` quotes it.
  func make(_ resolver: any Resolver) throws -> Service
}

extension ServiceFactory {
  /// Whether the requested type is the type of the factory's service.
  ///
  /// - Parameter service: The requested type.
  public func supports(_ service: Any.Type) -> Bool { service == Service.self }
}

/// A factory made from a closure.
public struct BasicServiceFactory<Service: Sendable>: ServiceFactory {
  private let body: @Sendable (any Resolver) throws -> Service

  /// Creates a factory that returns the closure's result.
  ///
  /// - Parameters:
  ///   - service: The type of the service, for example a protocol; by default the type of the
  ///     closure's result.
  ///   - body: Makes a service from the services of the given resolver.
  public init(
    _ service: Service.Type = Service.self,
    make body: @escaping @Sendable (any Resolver) throws -> Service
  ) {
    self.body = body
  }

  /// Makes a service.
  ///
  /// - Parameter resolver: Finds the services that the new one needs.
  /// - Returns: The closure's result.
  /// - Throws: The error of the closure.
  public func make(_ resolver: any Resolver) throws -> Service { try body(resolver) }
}

/// A type-erased factory, so that a list can hold factories of several types.
public struct AnyServiceFactory: ServiceFactory {
  /// The type of the service.
  public let service: Any.Type
  private let isSupported: @Sendable (Any.Type) -> Bool
  private let body: @Sendable (any Resolver) throws -> any Sendable

  /// Wraps a factory.
  ///
  /// - Parameter factory: The factory. A factory that is already wrapped is not wrapped again.
  public init<Factory: ServiceFactory>(_ factory: Factory) {
    if let factory = factory as? AnyServiceFactory {
      self = factory
    } else {
      service = Factory.Service.self
      isSupported = { factory.supports($0) }
      body = { try factory.make($0) }
    }
  }

  /// Whether the factory supports that type.
  ///
  /// - Parameter service: The requested type.
  public func supports(_ service: Any.Type) -> Bool { isSupported(service) }

  /// Makes a service.
  ///
  /// - Parameter resolver: Finds the services that the new one needs.
  /// - Returns: The service of the factory.
  /// - Throws: The error of the factory.
  public func make(_ resolver: any Resolver) throws -> any Sendable { try body(resolver) }
}
