public import Checkout

/// The minimal cake: `Uses…` says that a type needs something, `MixIn…` gives it, and protocol
/// extensions hold the logic of whatever uses the right things.
///
/// The logic is that of `CustomerLogic` and `RewardsLogic`: a type that uses a repository and a
/// verifier *is* a customer service. Right for a handful of services; every member of every
/// mix-in is a member of the type, and they share one space of names.
public enum MinimalCake {
  /// Needs a customer repository.
  public protocol UsesRepository {
    var repository: any CustomerRepository { get }
  }

  /// Needs a password verifier.
  public protocol UsesPasswords {
    var passwords: any PasswordVerifier { get }
  }

  /// Needs a customer service.
  public protocol UsesCustomers {
    var customers: any CustomerService { get }
  }

  /// Needs a rewards service.
  public protocol UsesRewards {
    var rewards: any RewardsService { get }
  }

  /// Needs the parts of the shop.
  public protocol UsesParts {
    var parts: ShopParts { get }
  }

  /// Gives the repository of the parts.
  public protocol MixInRepository: UsesRepository, UsesParts {}

  /// Gives the verifier of the parts.
  public protocol MixInPasswords: UsesPasswords, UsesParts {}

  /// Gives the type itself as a customer service.
  public protocol MixInCustomers: UsesCustomers, CustomerLogic, UsesRepository, UsesPasswords {}

  /// Gives the type itself as a rewards service.
  public protocol MixInRewards: UsesRewards, RewardsLogic, UsesCustomers {}

  /// The shop: the list of its mix-ins.
  public struct Shop: WiredShop, MixInRepository, MixInPasswords, MixInCustomers, MixInRewards {
    /// What the mix-ins use.
    public let parts: ShopParts
    /// The buyer's basket, which has a state and so cannot be mixed in.
    public let client: BasketClient

    init(_ parts: ShopParts) {
      self.parts = parts
      client = BasketClient(store: parts.store, service: parts.service, prices: parts.prices)
    }
  }

  /// The shop of these parts.
  public static func shop(from parts: ShopParts) -> Shop { Shop(parts) }
}

extension MinimalCake.MixInRepository {
  /// The repository of the parts.
  public var repository: any CustomerRepository { parts.repository }
}

extension MinimalCake.MixInPasswords {
  /// The verifier of the parts.
  public var passwords: any PasswordVerifier { parts.passwords }
}

extension MinimalCake.MixInCustomers {
  /// The type itself.
  public var customers: any CustomerService { self }
}

extension MinimalCake.MixInRewards {
  /// The type itself.
  public var rewards: any RewardsService { self }
}
