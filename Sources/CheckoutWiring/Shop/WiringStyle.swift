public import Ambient

/// The styles of wiring in which a shop can be built from parts that are known only at run time.
///
/// All styles make the same shop from the same parts. The raw value is the name on command lines.
/// Four styles are missing here: method injection keeps nothing; the two cakes make their constants
/// from parts that are known when the program is written; mixins are for what nearly every type
/// uses, as this shop uses them for its log, time and analytics.
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

/// The error of a shop that is not wired completely.
public enum WiringError: DescribedError {
  /// A service was used before it was injected.
  case notInjected(InjectionError)
  /// The container could not supply a service.
  case unresolved(ResolutionError)

  /// The fault, and advice.
  public var description: String {
    switch self {
    case .notInjected(let error): "\(error)"
    case .unresolved(let error): "\(error)"
    }
  }
}
