// SPDX-License-Identifier: Apache-2.0

// The minimal cake: for each service, there is a protocol `Uses…`, which says that a type needs the
// service, and an implementation `MixIn…`. The logic of a service is in an extension of its
// protocol, and calls the services that it uses.
//
// ```swift
// let service = MixInRewardsService()
// let max = try await service.customerService.register(name: "Max", password: "open sesame")
// let maxTeam = try await service.buildTeam(leader: max.id)
// ```
//
// This style is right for a few services that a program makes once and always in the same way. The
// program calls one initializer without arguments, and needs no composition root. A missing or
// misspelled property does not fulfill the protocol, so the compiler reports it. But the compiler
// does not see that each `MixIn…` makes its own instances of the services that it uses. Two
// `MixIn…` that are made separately therefore share no instance. The style is wrong if two services
// need to share a third.

// MARK: Uses…: what a type needs

/// Needs a repository.
public protocol UsesCustomerRepository {
  /// The repository of the customers.
  var customerRepository: any CustomerRepository { get }
}

/// Needs a verifier.
public protocol UsesPasswordVerifier {
  /// The verifier of the customers' passwords.
  var passwordVerifier: any PasswordVerifier { get }
}

/// Needs a customer service.
public protocol UsesCustomerService {
  /// The service that manages the customers.
  var customerService: any CustomerService { get }
}

// MARK: The services: their logic

// Methods that are called through `any CustomerService` are requirements of that protocol, so that
// a test double's own method is called. The extensions of `CustomerLogic` and `RewardsLogic`
// implement these methods, for all styles.

/// A customer service that uses a repository and a verifier.
public protocol MinimalCustomerService: CustomerLogic, UsesCustomerRepository, UsesPasswordVerifier
{}

extension MinimalCustomerService {
  /// The repository that the service uses.
  public var repository: any CustomerRepository { customerRepository }
  /// The verifier that the service uses.
  public var passwords: any PasswordVerifier { passwordVerifier }
}

/// A rewards service that uses a customer service.
public protocol MinimalRewardsService: RewardsLogic, UsesCustomerService {}

extension MinimalRewardsService {
  /// The customer service that the rewards service uses.
  public var customers: any CustomerService { customerService }
}

// MARK: MixIn…: the implementations

/// The repository of the program. A repository needs no other service, so this name is only an
/// alias of an existing implementation.
public typealias MixInCustomerRepository = MemoryCustomerRepository

/// The verifier of the program; it needs no other service, either.
public typealias MixInPasswordVerifier = SystemPasswordVerifier

/// The customer service of the program.
public final class MixInCustomerService: MinimalCustomerService {
  /// This service's own repository.
  public let customerRepository: any CustomerRepository = MixInCustomerRepository()
  /// This service's own verifier.
  public let passwordVerifier: any PasswordVerifier = MixInPasswordVerifier()

  /// Creates the service with its own repository and verifier.
  public init() {}
}

/// The rewards service of the program; creating it creates all services below it.
///
/// A test declares a type like this one, for this service or for a service below it, and
/// initializes the constant with a test double instead of a `MixIn…`.
public final class MixInRewardsService: MinimalRewardsService {
  /// This service's own customer service.
  public let customerService: any CustomerService = MixInCustomerService()

  /// Creates the service with its own customer service.
  public init() {}
}
