// SPDX-License-Identifier: Apache-2.0

// Initializer injection: a type gets the services that it needs as arguments of its initializer,
// typed by protocols, and stores them in constants. It neither makes nor looks up a service.
//
// ```swift
// let root = CompositionRoot(repository: MemoryCustomerRepository())
// let ada = try await root.customers.register(name: "Ada", password: "open sesame")
// let team = try await root.rewards.buildTeam(leader: ada.id)
// ```
//
// This style is right for services that decide what a type does. This is the usual style; any other
// style needs a reason. The style fails by not compiling: an argument that is left out is an error
// at the call. The style is wrong for a service that nearly every type uses, because all
// initializers would pass it on.

/// A customer service that gets its repository in its initializer.
///
/// Its logic is in ``CustomerLogic``.
public struct StandardCustomerService: CustomerLogic {
  /// The repository of the customers.
  public let repository: any CustomerRepository
  /// The verifier of the customers' passwords.
  public let passwords: any PasswordVerifier

  /// Creates the service on a repository.
  ///
  /// The verifier may have a default, since it is local: it comes from this module, computes with
  /// the system's library, and touches nothing outside the process. A repository may be foreign,
  /// for example a company's database, so it has no default: a forgotten argument must not lead to
  /// the real database.
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

/// A rewards service that gets its customer service in its initializer.
public struct StandardRewardsService: RewardsLogic {
  /// The service that manages the customers.
  public let customers: any CustomerService

  /// Creates a rewards service that uses the given customer service.
  ///
  /// - Parameter customers: The service that manages the rewarded customers.
  public init(customers: any CustomerService) { self.customers = customers }
}

/// The composition root: the one place that knows the concrete types and connects them.
///
/// Each service only declares which services it needs, and gets them without a request. That is
/// inversion of control, “don't call us, we'll call you”. A program makes its root once, near its
/// start.
public struct CompositionRoot: Sendable {
  /// The customer service, for callers that need only that.
  public let customers: any CustomerService
  /// The rewards service, which uses the service in `customers`.
  public let rewards: any RewardsService

  /// Connects the services, from the lowest level up.
  ///
  /// - Parameters:
  ///   - repository: The repository of the customers, on the lowest level.
  ///   - passwords: The verifier of their passwords, also on the lowest level.
  public init(
    repository: any CustomerRepository, passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) {
    customers = StandardCustomerService(repository: repository, passwords: passwords)
    rewards = StandardRewardsService(customers: customers)
  }
}
