// Dependency mixins: a type that says `Requires…` has the property, and needs no initializer for
// it. The application says once, in an extension of the protocol, what everybody gets.
//
// ```swift
// extension RequiresCustomerRepository {  // the application, once
//   var customerRepository: any CustomerRepository { Application.repository }
// }
//
// struct Register: RequiresCustomerRepository {  // whoever needs it
//   func knows(_ name: String) async throws -> Bool {
//     try await customerRepository.record(named: name) != nil
//   }
// }
// ```
//
// Right for what nearly every type uses, where initializers grow long, and where others make the
// objects. `RequiresLog`, `RequiresTime` and `RequiresAnalytics` of Ambient are such protocols.
// It fails by not compiling where no extension answers. What the compiler does not see: a type that
// means to give an answer of its own, and misspells its property, gets everybody's. It is wrong for
// what differs from one object to the next.

// MARK: The protocols, which a library has; it does not answer them

/// Requires a customer repository.
public protocol RequiresCustomerRepository {
  /// The one that the application has, unless the type declares another.
  var customerRepository: any CustomerRepository { get }
}

/// Requires a customer service.
public protocol RequiresCustomerService {
  /// The one that the application has, unless the type declares another.
  var customerService: any CustomerService { get }
}

// MARK: The application: its answers, once

// They are not public: they answer for the types that are compiled in this module. Another module,
// a test's among them, answers for its own types, and cannot change these.

private let theRepository = MemoryCustomerRepository()

extension RequiresCustomerRepository {
  var customerRepository: any CustomerRepository { theRepository }
}

extension RequiresCustomerService {
  var customerService: any CustomerService { RequiringCustomerService() }
}

// MARK: The application: those who require

/// The customer service: no initializer passes the repository, and no property keeps it.
struct RequiringCustomerService: CustomerLogic, RequiresCustomerRepository {
  var repository: any CustomerRepository { customerRepository }
  let passwords: any PasswordVerifier = SystemPasswordVerifier()
}

/// The rewards service, which keeps what it requires out of its own names.
///
/// A mixin makes the property a member of the type, for all who see the type. A nested type may
/// have it instead; then it is seen, and read, through `dependencies` only.
public struct RequiringRewardsService: RewardsLogic {
  private struct Dependencies: RequiresCustomerService {}
  private let dependencies = Dependencies()

  /// A service on the customers of the application.
  public init() {}

  /// What knows the customers.
  public var customers: any CustomerService { dependencies.customerService }
}
