public import Ambient

/// Finds services by their types: a container, or a resolver of your own.
public protocol Resolver: Sendable {
  /// Finds a service, or makes it.
  ///
  /// This is the method to write; the shorter ones call it. A resolver that has no answer throws
  /// ``ServiceRequest/error(_:_:)`` with ``ResolutionError/Reason/missing``.
  ///
  /// - Parameters:
  ///   - service: The type that is asked for.
  ///   - request: The name, the arguments and the line that asks.
  /// - Returns: The service, of that type.
  /// - Throws: ``ResolutionError``, made by the request, so that it says what asked.
  func resolve<Service: Sendable>(
    _ service: Service.Type, _ request: ServiceRequest
  ) throws(ResolutionError) -> Service
}

/// A request beside its type: a name, arguments, and its place in the source.
public struct ServiceRequest: Sendable {
  /// The name, where several services have one type.
  public let name: String?
  /// The arguments from which the service is made.
  public let arguments: [any Sendable]
  /// The line that asks.
  public let place: SourcePlace

  /// The error to throw for this request; it lists the services that the thread is making, and
  /// names an optional by its wrapped type.
  ///
  /// - Parameters:
  ///   - reason: Why there is no such service.
  ///   - service: The type that was asked for.
  public func error(_ reason: ResolutionError.Reason, _ service: Any.Type) -> ResolutionError {
    let service = (service as? any OptionalService.Type)?.wrapped ?? service
    return ResolutionError(
      reason: reason, service: "\(ServiceKey(service: service, name: name))",
      askedBy: Making.current.path, place: place)
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

/// An optional's type, as a value that can be asked for its wrapped type.
protocol OptionalService {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalService {
  static var wrapped: Any.Type { Wrapped.self }
}

extension Resolver {
  /// Finds a service, or makes it, of the arguments if there are any.
  ///
  /// An argument may be of a subtype of what the factory takes. A service of type `T` also answers
  /// for `T?`, so that `if let service: any Mailer = try? container.resolve()` finds it.
  ///
  /// - Parameters:
  ///   - service: The type that is asked for; it may be left out where the result says it.
  ///   - name: The name, where several services have that type; nil for none.
  ///   - arguments: The arguments from which the service is made.
  ///   - fileID: The file that errors name as the one that asks.
  ///   - line: The line that errors name.
  /// - Returns: The service, made now or before, as it was registered.
  /// - Throws: ``ResolutionError``: the service, or one that it needs, is not registered, or
  ///   registered twice, needs itself, takes other arguments, or its factory failed.
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
