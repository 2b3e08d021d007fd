// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// The styles of wiring in which a shop can be built from parts that are known only at run time.
///
/// Four styles have no case. With method injection, no object stores its services, so there is no
/// shop to build from the parts. The cake pattern and the minimal cake need parts that are known
/// when the program is compiled. Mixins suit only services that nearly every type uses. In this
/// package, such services are the log, the time and the analytics, which are not parts of the shop.
public enum WiringStyle: String, Hashable, Sendable, CaseIterable {
  case initializer
  case property
  case factory
  case locator

  /// Builds a shop from the parts, in this style.
  ///
  /// - Parameter parts: The parts of the shop.
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
