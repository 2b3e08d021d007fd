public import Checkout

/// Dependency mixins: a type says `RequiresX`, and the protocol's extension supplies it: directly
/// if there is one for all, or else from the `Dependencies` that the type nests.
///
/// The mixins of the ambient contexts (`RequiresLog`, …) are the direct kind. Right for what has
/// one good answer; where it has not, the nested kind leaves the choice to whoever makes the type.
public enum DependencyMixins {
  /// A type with a value that holds what it depends on.
  public protocol HasDependencies {
    associatedtype Dependencies: Sendable
    var dependencies: Dependencies { get }
  }

  /// Requires a password verifier: the system's, unless the type declares a property.
  public protocol RequiresPasswords {
    var passwords: any PasswordVerifier { get }
  }

  /// Requires a customer repository, which has no answer for all.
  public protocol RequiresRepository {
    var repository: any CustomerRepository { get }
  }

  /// Requires a customer service.
  public protocol RequiresCustomers {
    var customers: any CustomerService { get }
  }

  /// The customer service; who makes it decides on the repository.
  public struct Customers: CustomerLogic, RequiresPasswords, RequiresRepository, HasDependencies {
    /// What it depends on.
    public struct Dependencies: Sendable, RequiresRepository {
      /// Where the customers are.
      public let repository: any CustomerRepository
    }

    /// What it depends on.
    public let dependencies: Dependencies
    /// Declared, and so in the place of the system's.
    public let passwords: any PasswordVerifier
  }

  /// The rewards service.
  public struct Rewards: RewardsLogic, RequiresCustomers, HasDependencies {
    /// What it depends on.
    public struct Dependencies: Sendable, RequiresCustomers {
      /// What knows the customers.
      public let customers: any CustomerService
    }

    /// What it depends on.
    public let dependencies: Dependencies
  }

  /// A shop of these services.
  public struct Shop: WiredShop {
    /// The buyer's basket.
    public let client: BasketClient
    /// The customer service.
    public let customers: any CustomerService
    /// The rewards service.
    public let rewards: any RewardsService
  }

  /// The shop of these parts.
  public static func shop(from parts: ShopParts) -> Shop {
    let customers = Customers(
      dependencies: .init(repository: parts.repository), passwords: parts.passwords)
    return Shop(
      client: BasketClient(store: parts.store, service: parts.service, prices: parts.prices),
      customers: customers,
      rewards: Rewards(dependencies: .init(customers: customers)))
  }
}

extension DependencyMixins.RequiresPasswords {
  /// The system's verifier: one for all, so it is supplied directly.
  public var passwords: any PasswordVerifier { SystemPasswordVerifier() }
}

extension DependencyMixins.RequiresRepository
where Self: DependencyMixins.HasDependencies, Dependencies: DependencyMixins.RequiresRepository {
  /// The repository of the nested dependencies.
  public var repository: any CustomerRepository { dependencies.repository }
}

extension DependencyMixins.RequiresCustomers
where Self: DependencyMixins.HasDependencies, Dependencies: DependencyMixins.RequiresCustomers {
  /// The customer service of the nested dependencies.
  public var customers: any CustomerService { dependencies.customers }
}
