public import Ambient

/// The ways of connecting services in which a shop can be built from parts that are known only when
/// the program runs.
///
/// All make the same shop from the same parts. The raw value is the name on command lines. Four
/// ways are not among them: method injection keeps nothing; the constants of the two cakes are
/// made of parts that are known when the program is written; and mixins are for what nearly every
/// type uses: the shop has its log, its time and its analytics by these.
public enum WiringStyle: String, Hashable, Sendable, CaseIterable {
  case initializer
  case property
  case factory
  case locator

  /// The shop, connected in this style.
  ///
  /// - Parameter parts: The parts to connect.
  /// - Returns: The shop, which behaves the same in every style.
  public func shop(from parts: ShopParts) -> any WiredShop {
    switch self {
    case .initializer:
      return InitializerShop(parts)
    case .property:
      var shop = PropertyShop()
      shop.inject(parts)
      return shop
    case .factory:
      return FactoryShop(PartsFactory(parts: parts))
    case .locator:
      return LocatorShop(.shop(from: parts))
    }
  }
}

/// Why a shop is not wired.
public enum WiringError: DescribedError {
  /// A service was asked for before it was injected.
  case notInjected(InjectionError)
  /// The container has no answer.
  case unresolved(ResolutionError)

  /// The fault, and advice.
  public var description: String {
    switch self {
    case .notInjected(let error): "\(error)"
    case .unresolved(let error): "\(error)"
    }
  }
}
