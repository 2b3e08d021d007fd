// SPDX-License-Identifier: Apache-2.0

public import Checkout

/// A shop that is created without its parts, and gets them afterwards.
public struct PropertyShop: WiredShop {
  private var services: (client: BasketClient, root: CompositionRoot)?

  /// Creates a shop that still lacks its services.
  public init() {}

  /// Creates the shop's services from the parts.
  ///
  /// - Parameter parts: The parts that the services use.
  public mutating func inject(_ parts: ShopParts) {
    services = (
      BasketClient(store: parts.store, service: parts.service, prices: parts.prices),
      CompositionRoot(repository: parts.repository, passwords: parts.passwords)
    )
  }

  /// The buyer's basket.
  public var client: BasketClient { get throws(WiringError) { try injected().client } }

  /// The customer service.
  public var customers: any CustomerService {
    get throws(WiringError) { try injected().root.customers }
  }

  /// The rewards service.
  public var rewards: any RewardsService {
    get throws(WiringError) { try injected().root.rewards }
  }

  private func injected() throws(WiringError) -> (client: BasketClient, root: CompositionRoot) {
    if let services { return services }
    // The error names this line, because a property's getter cannot know the line of its caller.
    throw .notInjected(InjectionError(Self.self, missing: "parts"))
  }
}
