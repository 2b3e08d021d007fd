public import Ambient

/// The ways of connecting a shop's services that are compared here.
///
/// All make the same shop from the same parts. The raw value is the name on command lines.
public enum WiringStyle: String, Hashable, Sendable, CaseIterable {
  case initializer
  case property
  case method
  case factory
  case cake
  case minimalCake = "minimal-cake"
  case mixin
  case locator

  /// The idea, in a line.
  public var idea: String {
    switch self {
    case .initializer: "a type names what it needs in its initializer"
    case .property: "what is needed is assigned afterwards"
    case .method: "what is needed is passed with each call"
    case .factory: "a protocol makes the services that fit each other"
    case .cake: "an enum mixes a component for each service"
    case .minimalCake: "a type makes what its protocol's logic uses"
    case .mixin: "a protocol's extension supplies what it requires"
    case .locator: "a container is asked by type, at run time"
    }
  }
}

/// Why a shop is not wired.
public enum WiringError: DescribedError {
  /// The constants of the cake were made from other parts before.
  case cakeAlreadyBaked
  /// The container has no answer.
  case unresolved(ResolutionError)

  /// Says what is wrong and what to do.
  public var description: String {
    switch self {
    case .cakeAlreadyBaked:
      "the cake's constants were made from other parts; a process bakes it once, so use another "
        + "style, or another enum that conforms to its components"
    case .unresolved(let error): "\(error)"
    }
  }
}
