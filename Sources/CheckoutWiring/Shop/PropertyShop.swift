internal import Checkout

/// A shop that is made without its services, and given them afterwards.
struct PropertyShop: WiredShop {
  private var services: (client: BasketClient, root: CompositionRoot)?

  init() {}

  /// Assigns all that the shop needs.
  mutating func inject(client: BasketClient, root: CompositionRoot) { services = (client, root) }

  var client: BasketClient { get throws(WiringError) { try injected().client } }
  var customers: any CustomerService { get throws(WiringError) { try injected().root.customers } }
  var rewards: any RewardsService { get throws(WiringError) { try injected().root.rewards } }

  private func injected() throws(WiringError) -> (client: BasketClient, root: CompositionRoot) {
    if let services { return services }
    throw .notInjected(InjectionError(Self.self, missing: "client", "root"))
  }
}
