/// Makes services of one type; most are closures, given to
/// ``Container/register(_:_:fileID:line:make:)``.
public protocol ServiceFactory<Service>: Sendable {
  /// What it makes.
  associatedtype Service: Sendable

  /// Makes one, with the services that the resolution finds.
  func make(_ resolution: Resolution) throws -> Service
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
