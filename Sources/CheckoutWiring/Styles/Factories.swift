public import Checkout

/// Factories: a protocol with a method for each part, whose implementations choose the family.
///
/// Right where parts are made while the program runs, and must fit each other: all in memory, all
/// of one tenant. A test has a factory of its own, which changes one method.
public enum Factories {
  /// Makes the parts of a shop that fit each other.
  public protocol ShopFactory: Sendable {
    /// Makes the buyer's basket.
    func makeClient() -> BasketClient
    /// Makes, or hands out, what keeps the customers.
    func makeRepository() -> any CustomerRepository
    /// Makes what checks passwords.
    func makePasswords() -> any PasswordVerifier
    /// Makes the customer service.
    func makeCustomers() -> any CustomerService
    /// Makes the rewards service.
    func makeRewards(customers: any CustomerService) -> any RewardsService
  }

  /// The default: the standard services of the parts.
  public struct StandardFactory: ShopFactory {
    private let parts: ShopParts

    /// The factory of these parts.
    public init(_ parts: ShopParts) { self.parts = parts }

    /// Makes the client of the store and the service.
    public func makeClient() -> BasketClient {
      BasketClient(store: parts.store, service: parts.service, prices: parts.prices)
    }

    /// Hands out the repository.
    public func makeRepository() -> any CustomerRepository { parts.repository }

    /// Hands out the verifier.
    public func makePasswords() -> any PasswordVerifier { parts.passwords }
  }

  /// A shop that a factory equips.
  public struct Shop: WiredShop {
    /// The buyer's basket.
    public let client: BasketClient
    /// The customer service.
    public let customers: any CustomerService
    /// The rewards service.
    public let rewards: any RewardsService

    /// The shop of what the factory makes.
    public init(_ factory: some ShopFactory) {
      client = factory.makeClient()
      customers = factory.makeCustomers()
      rewards = factory.makeRewards(customers: customers)
    }
  }

  /// The shop that the default factory equips.
  public static func shop(from parts: ShopParts) -> Shop { Shop(StandardFactory(parts)) }
}

extension Factories.ShopFactory {
  /// Makes the standard customer service of this factory's repository and verifier.
  public func makeCustomers() -> any CustomerService {
    StandardCustomerService(repository: makeRepository(), passwords: makePasswords())
  }

  /// Makes the standard rewards service.
  public func makeRewards(customers: any CustomerService) -> any RewardsService {
    StandardRewardsService(customers: customers)
  }
}
