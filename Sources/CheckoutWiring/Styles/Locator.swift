public import Checkout

/// The service locator: a container is told once how each service comes about, and is asked for
/// services by their types while the program runs.
///
/// Right at the edge where types are known only at run time: plug-ins, a framework that makes
/// your objects. Elsewhere it hides what a type needs, and what is missing is found by running.
public enum Locator {
  /// What a shop is made of, as registrations.
  public static func container(for parts: ShopParts) -> Container {
    Container()
      .register((any BasketStore).self, parts.store)
      .register((any BasketService).self, parts.service)
      .register(PriceList.self, parts.prices)
      .register((any CustomerRepository).self, parts.repository)
      .register((any PasswordVerifier).self, parts.passwords)
      .register(BasketClient.self, .once) {
        BasketClient(
          store: try $0.resolve(), service: try $0.resolve(), prices: try $0.resolve())
      }
      .register((any CustomerService).self, .once) {
        StandardCustomerService(repository: try $0.resolve(), passwords: try $0.resolve())
      }
      .register((any RewardsService).self, .once) {
        StandardRewardsService(customers: try $0.resolve())
      }
  }

  /// A shop that asks a container at each use, and so sees what is replaced.
  public struct Shop: WiredShop {
    private let container: Container

    /// The shop of what the container finds.
    public init(_ container: Container) { self.container = container }

    /// The buyer's basket.
    public var client: BasketClient { get throws(WiringError) { try find() } }

    /// The customer service.
    public var customers: any CustomerService { get throws(WiringError) { try find() } }

    /// The rewards service.
    public var rewards: any RewardsService { get throws(WiringError) { try find() } }

    private func find<Service: Sendable>() throws(WiringError) -> Service {
      do throws(ResolutionError) { return try container.resolve() } catch {
        throw .unresolved(error)
      }
    }
  }

  /// The shop of these parts.
  public static func shop(from parts: ShopParts) -> Shop { Shop(container(for: parts)) }
}
