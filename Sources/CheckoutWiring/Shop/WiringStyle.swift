public import Ambient

/// The ways of connecting services in which a shop can be built from parts that are known only when
/// the program runs.
///
/// All make the same shop from the same parts. The raw value is the name on command lines. Two ways
/// are not among them: method injection keeps nothing, and mixins are for what nearly every type
/// uses; the shop has its log, its time and its analytics by these.
public enum WiringStyle: String, Hashable, Sendable, CaseIterable {
  case initializer
  case property
  case factory
  case cake
  case minimalCake = "minimal-cake"
  case locator

  /// The shop, connected in this style.
  ///
  /// - Throws: ``WiringError/partsAlreadyGiven`` for second parts that a process gives to a cake.
  public func shop(from parts: ShopParts) throws(WiringError) -> any WiredShop {
    switch self {
    case .initializer:
      return InitializerShop(parts)
    case .property:
      var shop = PropertyShop()
      shop.inject(client: parts.makeClient(), root: parts.makeRoot())
      return shop
    case .factory:
      return FactoryShop(PartsFactory(parts: parts))
    case .cake:
      try parts.giveToProgram()
      return CakeShop(ShopContext.self)
    case .minimalCake:
      try parts.giveToProgram()
      return MixInShop()
    case .locator:
      return LocatorShop(.shop(from: parts))
    }
  }
}

/// Why a shop is not wired.
public enum WiringError: DescribedError {
  /// The program was given other parts before.
  case partsAlreadyGiven
  /// A service was asked for before it was injected.
  case notInjected(InjectionError)
  /// The container has no answer.
  case unresolved(ResolutionError)

  /// Says what is wrong and what to do.
  public var description: String {
    switch self {
    case .partsAlreadyGiven:
      "the constants of a cake are made from the parts that the program was given first; "
        + "use another style for other parts, or write a context of your own"
    case .notInjected(let error): "\(error)"
    case .unresolved(let error): "\(error)"
    }
  }
}
