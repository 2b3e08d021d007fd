public import Checkout

/// Method injection: what is needed is passed with each call, and nobody keeps it.
///
/// Right where it differs from call to call: another tenant's repository, the caller's locale.
/// Where it never does, each caller must carry what only the one it calls needs.
public enum MethodInjection {
  /// Lets a customer of that repository in.
  public static func authenticate(
    name: String, password: String,
    in repository: any CustomerRepository, checkedBy passwords: any PasswordVerifier
  ) async throws(CustomerError) -> Customer {
    try await customers(in: repository, checkedBy: passwords)
      .authenticate(name: name, password: password)
  }

  /// Rewards a member of a group, whose customers are in that repository.
  public static func award(
    _ points: Int, to member: Customer.ID, of group: CustomerGroup,
    in repository: any CustomerRepository, checkedBy passwords: any PasswordVerifier
  ) async throws(RewardsError) -> Award {
    try await rewards(in: repository, checkedBy: passwords)
      .award(points, to: member, in: group)
  }

  /// The customer service for one call.
  static func customers(
    in repository: any CustomerRepository, checkedBy passwords: any PasswordVerifier
  ) -> StandardCustomerService {
    StandardCustomerService(repository: repository, passwords: passwords)
  }

  /// The rewards service for one call. It needs no passwords, but must pass them on.
  static func rewards(
    in repository: any CustomerRepository, checkedBy passwords: any PasswordVerifier
  ) -> StandardRewardsService {
    StandardRewardsService(customers: customers(in: repository, checkedBy: passwords))
  }

  /// A caller of these methods: it carries the parts, and passes them at each use.
  public struct Shop: WiredShop {
    private let parts: ShopParts
    /// The buyer's basket, which is kept: it has a state.
    public let client: BasketClient

    init(_ parts: ShopParts) {
      self.parts = parts
      client = BasketClient(store: parts.store, service: parts.service, prices: parts.prices)
    }

    /// The customer service for one call.
    public var customers: any CustomerService {
      MethodInjection.customers(in: parts.repository, checkedBy: parts.passwords)
    }

    /// The rewards service for one call.
    public var rewards: any RewardsService {
      MethodInjection.rewards(in: parts.repository, checkedBy: parts.passwords)
    }
  }

  /// The shop that carries these parts.
  public static func shop(from parts: ShopParts) -> Shop { Shop(parts) }
}
