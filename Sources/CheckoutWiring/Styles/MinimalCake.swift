// The minimal cake: for each thing an interface `Uses…`, which says that a type needs it, and an
// implementation `MixIn…`. The logic stands in the extension of a service protocol, on what the
// service uses.
//
// ```swift
// let service = MixInRewardsService()
// let max = try await service.customerService.register(name: "Max", password: "open sesame")
// let maxTeam = try await service.buildTeam(leader: max.id)
// ```
//
// Right for a few services that a program makes once, all the same: one call of an initializer
// without arguments, and no place where everything is put together. It fails by not compiling: a
// missing or misspelt property does not fulfil the protocol. What the compiler does not see: each
// `MixIn…` makes those below it, so two that are made apart share nothing. It is wrong where two
// services need the same one.

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
  /// The service that keeps the customers.
  var customerService: any CustomerService { get }
}

// MARK: The services: what they do, on what they use

// Methods that are called through `any CustomerService` are requirements of that protocol, so that
// a double's own method is called. The extensions of `CustomerLogic` and `RewardsLogic` implement
// them, for all styles.

/// A customer service that uses a repository and a verifier.
public protocol MinimalCustomerService: CustomerLogic, UsesCustomerRepository, UsesPasswordVerifier
{}

extension MinimalCustomerService {
  /// The repository that it uses.
  public var repository: any CustomerRepository { customerRepository }
  /// The verifier that it uses.
  public var passwords: any PasswordVerifier { passwordVerifier }
}

/// A rewards service that uses a customer service.
public protocol MinimalRewardsService: RewardsLogic, UsesCustomerService {}

extension MinimalRewardsService {
  /// The customer service that it uses.
  public var customers: any CustomerService { customerService }
}

// MARK: MixIn…: the implementations

/// The repository of the program; it needs no other service, so any implementation will do.
public typealias MixInCustomerRepository = MemoryCustomerRepository

/// The verifier of the program; it needs no other service, either.
public typealias MixInPasswordVerifier = SystemPasswordVerifier

/// The customer service of the program.
public final class MixInCustomerService: MinimalCustomerService {
  /// A repository of its own.
  public let customerRepository: any CustomerRepository = MixInCustomerRepository()
  /// A verifier of its own.
  public let passwordVerifier: any PasswordVerifier = MixInPasswordVerifier()

  /// Creates the service on a repository of its own.
  public init() {}
}

/// The rewards service of the program; creating it creates all services below it.
///
/// A test writes a type like this one, at any level, with a double as the constant in place of one
/// `MixIn…`.
public final class MixInRewardsService: MinimalRewardsService {
  /// A customer service of its own.
  public let customerService: any CustomerService = MixInCustomerService()

  /// Creates the service on a customer service of its own.
  public init() {}
}
