// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// Finds services by their types. A container is a resolver; you can also write your own.
public protocol Resolver: Sendable {
  /// Finds a service, or makes it.
  ///
  /// Implement this method: the other `resolve` methods call it. A resolver that does not have the
  /// service throws ``ServiceRequest/error(_:_:)`` with ``ResolutionError/Reason/missing``.
  ///
  /// - Parameters:
  ///   - service: The requested type.
  ///   - request: The name, the arguments and the requesting line.
  /// - Returns: The service, of that type.
  /// - Throws: ``ResolutionError``, made by the request, so that it names the requesting services.
  func resolve<Service: Sendable>(
    _ service: Service.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> Service
}

/// The details of a request: the name, the arguments, and the place in the source.
public struct ServiceRequest: Sendable {
  /// The name, if several services have one type.
  public let name: String?
  /// The arguments from which the service is made.
  public let arguments: [any Sendable]
  /// The source location of the request.
  public let place: SourcePlace

  /// The error to throw for this request. It lists the services that the thread is making. If an
  /// optional type is requested, it names the wrapped type.
  ///
  /// - Parameters:
  ///   - reason: The reason why there is no such service.
  ///   - service: The requested type.
  public func error(_ reason: ResolutionError.Reason, _ service: Any.Type) -> ResolutionError {
    let service = (service as? any OptionalService.Type)?.wrapped ?? service
    return ResolutionError(
      reason: reason, service: "\(ServiceKey(service: service, name: name))",
      askedBy: ServicesInMaking.current.path, place: place)
  }

  func wrongArguments(_ expected: [String], _ service: Any.Type) -> ResolutionError {
    let given = arguments.map { argument in
      let mirror = Mirror(reflecting: argument)
      let isNil = mirror.displayStyle == .optional && mirror.children.isEmpty
      return isNil ? "nil" : "\(type(of: argument))"
    }
    return error(.wrongArguments(expected: expected, given: given), service)
  }
}

/// Gives access to the wrapped type of an optional type that is known only at run time.
protocol OptionalService {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalService {
  static var wrapped: Any.Type { Wrapped.self }
}

extension Resolver {
  /// Finds a service, or makes it, from the arguments if there are any.
  ///
  /// An argument may be of a subtype of the type that the factory takes. A request for `T?` also
  /// finds a service of type `T`, because the compiler requests `(any Mailer)?` in
  /// `if let service: any Mailer = try? container.resolve()`.
  ///
  /// - Parameters:
  ///   - service: The requested type; may be left out if the result's type is known.
  ///   - name: The name, if several services have that type; nil for no name.
  ///   - arguments: The arguments from which the service is made.
  ///   - fileID: The requesting file, for errors.
  ///   - line: The requesting line, for errors.
  /// - Returns: The service: a new one or a shared one, depending on how it was registered.
  /// - Throws: ``ResolutionError`` if the service, or one that it needs, is not registered, is
  ///   registered twice, needs itself or takes other arguments, or if its factory failed.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, named name: String? = nil,
    with arguments: repeat each Argument, fileID: String = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Service {
    var list: [any Sendable] = []
    repeat list.append(each arguments)
    let place = SourcePlace(fileID: fileID, line: line)
    return try resolve(service, ServiceRequest(name: name, arguments: list, place: place))
  }
}
