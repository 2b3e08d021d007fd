// Initializer injection: a type names what it needs in its initializer, by protocols, and keeps it
// in constants. It neither makes nor looks for anything.
//
// ```swift
// let root = CompositionRoot(repository: MemoryCustomerRepository())
// let ada = try await root.customers.register(name: "Ada", password: "open sesame")
// let team = try await root.rewards.buildTeam(leader: ada.id)
// ```
//
// Right for parts that decide what a type does: it is the usual way, the others need a reason.
// It fails by not compiling: an argument that is left out is an error at the call. It is wrong for
// what nearly every type uses, since each initializer on the way down would carry it.

/// A customer service that is given its repository.
///
/// Its logic stands in ``CustomerLogic``.
public struct StandardCustomerService: CustomerLogic {
  /// The repository of the customers.
  public let repository: any CustomerRepository
  /// The verifier of the customers' passwords.
  public let passwords: any PasswordVerifier

  /// The service of a repository.
  ///
  /// The verifier may have a default, since that is local: it comes from this module, computes with
  /// the system's library, and touches nothing outside the process. A repository may be foreign, a
  /// company's database, so it has none: a forgotten argument shall not reach the real one.
  ///
  /// - Parameters:
  ///   - repository: The repository of the customers.
  ///   - passwords: The verifier of their passwords.
  public init(
    repository: any CustomerRepository, passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) {
    self.repository = repository
    self.passwords = passwords
  }
}

/// A rewards service that is given its customer service.
public struct StandardRewardsService: RewardsLogic {
  /// The service that keeps the customers.
  public let customers: any CustomerService

  /// The service on top of a customer service.
  ///
  /// - Parameter customers: The service that keeps the customers whom this one rewards.
  public init(customers: any CustomerService) { self.customers = customers }
}

/// The composition root: the one place that knows the concrete types and puts them together.
///
/// Each service only says what it needs; it does not ask for it, it is given it. That is inversion
/// of control, “don't call us, we'll call you”. A program does this once, near its start.
public struct CompositionRoot: Sendable {
  /// The customer service, for callers that need only that.
  public let customers: any CustomerService
  /// The rewards service, on the same customers.
  public let rewards: any RewardsService

  /// Connects the services, from the lowest level up.
  ///
  /// - Parameters:
  ///   - repository: The repository of the customers, for the lowest level.
  ///   - passwords: The verifier of their passwords, for the same.
  public init(
    repository: any CustomerRepository, passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) {
    customers = StandardCustomerService(repository: repository, passwords: passwords)
    rewards = StandardRewardsService(customers: customers)
  }
}
