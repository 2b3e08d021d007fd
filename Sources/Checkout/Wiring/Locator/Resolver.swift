/// Finds services by their types: a container, or within a factory the resolution under way.
public protocol Resolver: Sendable {
  /// Finds a service that is made without arguments.
  func resolve<Service: Sendable>(
    _ service: Service.Type, at place: SourcePlace
  ) throws(ResolutionError) -> Service

  /// Makes a service with arguments.
  func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, at place: SourcePlace
  ) throws(ResolutionError) -> Service
}

extension Resolver {
  /// Finds a service that is made without arguments.
  ///
  /// - Throws: ``ResolutionError``: it is not registered, needs itself, needs arguments, or its
  ///   factory failed; or the same of a service that it needs.
  @inline(__always)
  public func resolve<Service: Sendable>(
    _ service: Service.Type = Service.self,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Service {
    try resolve(service, at: SourcePlace(fileID: fileID, line: line))
  }

  /// Makes a service with arguments, whose types must be those of its factory.
  ///
  /// - Throws: ``ResolutionError``, as without arguments.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, with arguments: repeat each Argument,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Service {
    try resolve(
      service, with: repeat each arguments, at: SourcePlace(fileID: fileID, line: line))
  }
}
