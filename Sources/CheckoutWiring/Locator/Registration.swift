public import Ambient

/// One line of a container: how a service comes about, and where that was said.
public struct Registration: Sendable {
  /// How a service comes about.
  public enum Kind: Hashable, Sendable {
    /// It was given.
    case instance
    /// It is made, and shared in that scope.
    case factory(ServiceScope)
    /// It is made, and shared while somebody holds it.
    case weak
    /// It is made from arguments of these types each time.
    case arguments([String])
  }

  /// What is registered.
  public var service: String { "\(type)" }
  /// How it comes about.
  public let kind: Kind
  /// Where it was registered.
  public let place: SourcePlace

  private let type: any Any.Type
  let makeCell: @Sendable () -> any AnyCell
  var key: ObjectIdentifier { ObjectIdentifier(type) }

  init<Service: Sendable>(_ service: Service.Type, _ recipe: Recipe<Service>, _ place: SourcePlace)
  {
    type = service
    self.place = place
    kind = recipe.kind
    makeCell = { Cell(recipe) }
  }
}

/// How a service of one type comes about.
enum Recipe<Service: Sendable>: Sendable {
  case instance(Service)
  case factory(any ServiceFactory<Service>, ServiceScope)
  case weak(@Sendable (Resolution) throws -> (Service, Remembered<Service>))
  case arguments(any AnyArgumentFactory)

  var kind: Registration.Kind {
    switch self {
    case .instance: .instance
    case .factory(_, let scope): .factory(scope)
    case .weak: .weak
    case .arguments(let factory): .arguments(factory.arguments)
    }
  }
}

/// How long a service that a container makes is shared.
///
/// A fourth, sharing it while somebody holds it, is chosen by the way of registering:
/// ``Container/register(_:weak:as:fileID:line:)``.
public enum ServiceScope: String, Hashable, Sendable, CaseIterable {
  /// Not at all: each time it is asked for, a new one is made.
  case eachTime
  /// By all, until something that it was made with is replaced.
  case once
  /// By all that are made to answer one question.
  case oncePerResolution
}
