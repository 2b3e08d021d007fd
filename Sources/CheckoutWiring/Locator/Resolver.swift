public import Ambient

/// Finds services by their types: a container, the resolution within a factory, or one of your own.
public protocol Resolver: Sendable {
  /// Whether it finds services of that type.
  func supports<Service: Sendable>(_ service: Service.Type) -> Bool

  /// Finds a service that is made without arguments.
  func resolve<Service: Sendable>(
    _ service: Service.Type, at place: SourcePlace
  ) throws(ResolutionError) -> Service

  /// Makes a service with arguments; a resolver that does not say how has none that takes any.
  func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, at place: SourcePlace
  ) throws(ResolutionError) -> Service
}

extension Resolver {
  /// Throws that it makes nothing with arguments.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type, with arguments: repeat each Argument, at place: SourcePlace
  ) throws(ResolutionError) -> Service {
    let given = names(repeat (each Argument).self)
    throw ResolutionError(.wrongArguments(expected: [], given: given), service, at: place)
  }

  /// Finds a service that is made without arguments.
  ///
  /// - Throws: ``ResolutionError``: it is not registered, needs itself, needs arguments, or its
  ///   factory failed; or the same of a service that it needs.
  @inline(__always)
  public func resolve<Service: Sendable>(
    _ service: Service.Type = Service.self,
    fileID: String = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Service {
    try resolve(service, at: SourcePlace(fileID: fileID, line: line))
  }

  /// Finds a service for an optional of its type, as in
  /// `if let service: any Service = try? container.resolve()`.
  ///
  /// There Swift takes the type that stands before the sign for that of the whole expression. A
  /// service that was registered as an optional is found as such.
  ///
  /// - Throws: ``ResolutionError``, as for the type itself.
  public func resolve<Service: Sendable>(
    _ service: Service?.Type = Service?.self,
    fileID: String = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Service? {
    let place = SourcePlace(fileID: fileID, line: line)
    if supports(service) { return try resolve(service, at: place) as Service? }
    return try resolve(Service.self, at: place)
  }

  /// Makes a service with arguments, whose types must be those of its factory.
  ///
  /// - Throws: ``ResolutionError``, as without arguments.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, with arguments: repeat each Argument,
    fileID: String = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Service {
    try resolve(
      service, with: repeat each arguments, at: SourcePlace(fileID: fileID, line: line))
  }

  /// Makes a service with arguments for an optional of its type, as without arguments.
  ///
  /// - Throws: ``ResolutionError``, as without arguments.
  public func resolve<Service: Sendable, each Argument: Sendable>(
    _ service: Service?.Type = Service?.self, with arguments: repeat each Argument,
    fileID: String = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Service? {
    let place = SourcePlace(fileID: fileID, line: line)
    if supports(service) {
      return try resolve(service, with: repeat each arguments, at: place) as Service?
    }
    return try resolve(Service.self, with: repeat each arguments, at: place)
  }
}

/// Why a container has no answer: what was asked for, by whom, and where.
public struct ResolutionError: Error {
  /// What is wrong.
  public enum Reason: Sendable {
    /// Nobody has registered the service.
    case missing
    /// To make the service, it is needed: the path, with the service at both ends.
    case cycle([String])
    /// The service is made with other arguments.
    case wrongArguments(expected: [String], given: [String])
    /// A factory supports the service, and makes something else.
    case unkept(makes: String)
    /// Its factory threw an error of its own.
    case failed(any Error)
  }

  /// What is wrong.
  public let reason: Reason
  /// What was asked for.
  public let service: String
  /// The services that are being made, each asked for by the one before it; the last asks for
  /// ``service``. Empty if the program itself asks.
  public let askedBy: [String]
  /// Where it was asked for.
  public let place: SourcePlace
}

extension ResolutionError: DescribedError {
  /// Why a resolver of your own has no answer.
  public init<Service>(_ reason: Reason, _ service: Service.Type, at place: SourcePlace) {
    self.init(reason: reason, service: "\(service)", askedBy: [], place: place)
  }

  /// Says what is wrong, who asked where, and what to do.
  public var description: String {
    let asker = askedBy.isEmpty ? "" : "by \(askedBy.joined(separator: " → ")) "
    let asked = "asked for \(asker)at \(place)"
    return switch reason {
    case .missing:
      "\(service) is not registered, \(asked); register it, or ask for what is registered"
    case .cycle(let path):
      "\(service) needs itself: \(path.joined(separator: " → ")), \(asked); "
        + "let one of them ask the container when it is used, not when it is made"
    case .wrongArguments(let expected, let given):
      "\(service) is made with \(Self.list(expected)), not with \(Self.list(given)), \(asked)"
    case .unkept(let made):
      "\(service) is supported by a factory that makes \(made), \(asked); mend what it supports"
    case .failed(let error):
      "\(service) could not be made, \(asked): \(error)"
    }
  }

  private static func list(_ types: [String]) -> String {
    types.isEmpty ? "no arguments" : "(\(types.joined(separator: ", ")))"
  }
}
