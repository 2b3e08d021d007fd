public import Checkout

/// Initializer injection: a type names what it needs in its initializer and keeps it in constants.
///
/// The services themselves are made for it (see `StandardCustomerService`). What is left is one
/// place that calls the initializers, from the lowest level up: the composition root.
public enum InitializerInjection {
  /// The shop's services; there is no way to make one that lacks any.
  public struct Shop: WiredShop {
    /// The buyer's basket.
    public let client: BasketClient
    /// The customer service.
    public let customers: any CustomerService
    /// The rewards service.
    public let rewards: any RewardsService

    /// The shop of these services.
    public init(
      client: BasketClient, customers: any CustomerService, rewards: any RewardsService
    ) {
      self.client = client
      self.customers = customers
      self.rewards = rewards
    }
  }

  /// The composition root.
  public static func shop(from parts: ShopParts) -> Shop {
    let customers = StandardCustomerService(
      repository: parts.repository, passwords: parts.passwords)
    return Shop(
      client: BasketClient(store: parts.store, service: parts.service, prices: parts.prices),
      customers: customers,
      rewards: StandardRewardsService(customers: customers))
  }
}
