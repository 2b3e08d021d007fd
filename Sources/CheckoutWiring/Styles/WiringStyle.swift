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
    case .property: "a type has local defaults, which can be assigned"
    case .method: "what is needed is passed with each call"
    case .factory: "a protocol makes the parts that fit each other"
    case .cake: "an enum conforms to a component for each service"
    case .minimalCake: "mix-ins give what a protocol's logic uses"
    case .mixin: "a protocol's extension supplies what it requires"
    case .locator: "a container is asked by type, at run time"
    }
  }

  /// The shop, connected in this style.
  ///
  /// - Throws: ``WiringError/cakeAlreadyBaked`` for the second parts that a process gives to the
  ///   cake.
  public func shop(from parts: ShopParts) throws(WiringError) -> any WiredShop {
    switch self {
    case .initializer: InitializerInjection.shop(from: parts)
    case .property: PropertyInjection.shop(from: parts)
    case .method: MethodInjection.shop(from: parts)
    case .factory: Factories.shop(from: parts)
    case .cake: try Cake.shop(from: parts)
    case .minimalCake: MinimalCake.shop(from: parts)
    case .mixin: DependencyMixins.shop(from: parts)
    case .locator: Locator.shop(from: parts)
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
