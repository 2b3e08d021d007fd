public import Checkout

/// Property injection: a type has a default for what it needs, in a variable that can be assigned.
///
/// Right where a good default exists in the same module (a local default: memory, the system's
/// hashing). Never where it would drag in something foreign (a server's address, a file): who
/// forgets to assign would talk to it unawares.
public enum PropertyInjection {
  /// A customer service that works at once, in memory.
  public struct Customers: CustomerLogic {
    /// Where the customers are.
    public var repository: any CustomerRepository = MemoryCustomerRepository()
    /// What checks their passwords.
    public var passwords: any PasswordVerifier = SystemPasswordVerifier()

    /// A service of the defaults.
    public init() {}
  }

  /// A rewards service that works at once, on customers of its own.
  public struct Rewards: RewardsLogic {
    /// What knows the customers.
    public var customers: any CustomerService = Customers()

    /// A service of the defaults.
    public init() {}
  }

  /// A shop that works at once. Assigning `customers` leaves `rewards` on its own: nobody but the
  /// programmer knows that both must be assigned.
  public struct Shop: WiredShop {
    /// The buyer's basket.
    public var client: BasketClient
    /// The customer service.
    public var customers: any CustomerService = Customers()
    /// The rewards service.
    public var rewards: any RewardsService = Rewards()

    /// A shop of the defaults. Prices have none, so even here they are named in the initializer.
    public init(prices: PriceList) {
      client = BasketClient(
        store: MemoryBasketStore(), service: MemoryBasketService(), prices: prices)
    }
  }

  /// Assigns everything.
  public static func shop(from parts: ShopParts) -> Shop {
    var customers = Customers()
    customers.repository = parts.repository
    customers.passwords = parts.passwords
    var rewards = Rewards()
    rewards.customers = customers
    var shop = Shop(prices: parts.prices)
    shop.client = BasketClient(store: parts.store, service: parts.service, prices: parts.prices)
    shop.customers = customers
    shop.rewards = rewards
    return shop
  }
}
