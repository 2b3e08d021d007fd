/// Makes services of one type, of what a resolver finds; most are closures, given to
/// ``Container/register(_:_:fileID:line:make:)``.
public protocol ServiceFactory<Service>: Sendable {
  /// What it makes.
  associatedtype Service: Sendable

  /// Whether it answers for that type; if the factory does not say, for ``Service`` only.
  ///
  /// What it makes must then be of that type, too: a class, say, that is asked for by its protocol.
  func supports<Wanted>(_ service: Wanted.Type) -> Bool

  /// Makes one, with the services that the resolution finds.
  func make(_ resolution: Resolution) throws -> Service
}

extension ServiceFactory {
  /// Whether that is the type of what it makes.
  public func supports<Wanted>(_ service: Wanted.Type) -> Bool { service == Service.self }
}

/// A factory that is a closure.
struct ClosureFactory<Service: Sendable>: ServiceFactory {
  let body: @Sendable (Resolution) throws -> Service

  func make(_ resolution: Resolution) throws -> Service { try body(resolution) }
}

/// A factory that takes arguments, of whatever types.
protocol AnyArgumentFactory: Sendable {
  var arguments: [String] { get }
}

/// A factory that takes arguments of these types.
struct ArgumentFactory<Service: Sendable, each Argument: Sendable>: AnyArgumentFactory {
  let body: @Sendable (Resolution, repeat each Argument) throws -> Service

  var arguments: [String] { names(repeat (each Argument).self) }
}

/// The names of the types.
func names<each Argument>(_ types: repeat (each Argument).Type) -> [String] {
  var names: [String] = []
  repeat names.append("\(each types)")
  return names
}
