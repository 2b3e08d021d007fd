// SPDX-License-Identifier: Apache-2.0

// The cake: each service has a *component*, a protocol with a property for the service and a method
// that creates it. An enum that conforms to several components is the program: the compiler checks
// that they fit together.
//
// ```swift
// let eve = try await AppContext.customers.register(name: "Eve", password: "open sesame")
// let eveTeam = try await AppContext.rewards.buildTeam(leader: eve.id)
// ```
//
// This style is right for a program that is wired once, from parts that are known at compile time.
// The style fails by not compiling: if a property is missing, if only a base component is mixed in,
// or if a component is missing that another one needs. The compiler does not see a cycle of
// constants, whose first use hangs or stops the program. The style is wrong for parts that are
// known only at run time, or that exist several times, because the constants are global to the
// process.

// MARK: Components: which services there are

/// Has a repository.
public protocol RepositoryComponent {
  static var repository: any CustomerRepository { get }
  static func createRepository() -> any CustomerRepository
}

/// Has a verifier of passwords.
public protocol PasswordsComponent {
  static var passwords: any PasswordVerifier { get }
  static func createPasswords() -> any PasswordVerifier
}

/// Has a customer service.
public protocol CustomersComponent {
  static var customers: any CustomerService { get }
  static func createCustomers() -> any CustomerService
}

/// Has a rewards service.
public protocol RewardsComponent {
  static var rewards: any RewardsService { get }
  static func createRewards() -> any RewardsService
}

// MARK: More special components: how the services are created

// These components add no requirement; they only implement `create…`. A type that only one
// component creates is private: another file can mix in the component, but cannot name the type.

/// Creates a repository that keeps customers in memory.
public protocol MemoryRepositoryComponent: RepositoryComponent {}

extension MemoryRepositoryComponent {
  public static func createRepository() -> any CustomerRepository { MemoryCustomerRepository() }
}

/// Creates a repository of one customer who never changes, for demonstrations. To use it, conform
/// to this protocol in place of ``MemoryRepositoryComponent``.
public protocol StaticRepositoryComponent: RepositoryComponent {}

extension StaticRepositoryComponent where Self: PasswordsComponent {
  public static func createRepository() -> any CustomerRepository {
    StaticRepository(passwords: passwords)
  }
}

private struct StaticRepository: CustomerRepository {
  private let guest: CustomerRecord?

  init(passwords: any PasswordVerifier) {
    guest = try? CustomerRecord(
      customer: Customer(name: "Guest"), password: passwords.hash("guest"))
  }

  func record(named name: String) -> CustomerRecord? {
    CustomerName.folded(name) == "guest" ? guest : nil
  }

  func add(_ record: CustomerRecord) throws(CustomerError) {
    throw .repository("it is read-only")
  }

  func replace(
    _ old: PasswordHash, with new: PasswordHash, of id: Customer.ID
  ) throws(CustomerError) {
    throw .repository("it is read-only")
  }

  func apply(_ change: CustomerChange, to id: Customer.ID) throws(CustomerError) -> Customer {
    throw .repository("it is read-only")
  }
}

/// Creates the system's verifier.
public protocol SystemPasswordsComponent: PasswordsComponent {}

extension SystemPasswordsComponent {
  public static func createPasswords() -> any PasswordVerifier { SystemPasswordVerifier() }
}

/// Creates a customer service; requires a repository and a verifier.
public protocol StandardCustomersComponent: CustomersComponent {}

// The constraints name the components that this one needs. `createCustomers()` passes their
// services to an initializer.
extension StandardCustomersComponent where Self: RepositoryComponent, Self: PasswordsComponent {
  public static func createCustomers() -> any CustomerService {
    CakeCustomerService(repository: repository, passwords: passwords)
  }
}

private struct CakeCustomerService: CustomerLogic {
  let repository: any CustomerRepository
  let passwords: any PasswordVerifier
}

/// Creates a rewards service; requires a customer service.
public protocol StandardRewardsComponent: RewardsComponent {}

extension StandardRewardsComponent where Self: CustomersComponent {
  public static func createRewards() -> any RewardsService {
    CakeRewardsService(customers: customers)
  }
}

private struct CakeRewardsService: RewardsLogic {
  let customers: any CustomerService
}

// MARK: The context: the program

/// The program: the list of its components, and a constant for each service.
///
/// No value of this type exists. A `static let` is made once, at its first use, on any thread. The
/// `lazy var`s of a struct would not do: two threads may both initialize a variable, and reading it
/// mutates the struct. A test writes its own enum, and assigns a test double to a constant instead
/// of calling `create…()`.
public enum AppContext: MemoryRepositoryComponent, SystemPasswordsComponent,
  StandardCustomersComponent, StandardRewardsComponent
{
  public static let repository = createRepository()
  public static let passwords = createPasswords()
  public static let customers = createCustomers()
  public static let rewards = createRewards()
}

/// A context as a value: code that gets it sees only some components of the context.
///
/// Other types like this one may show other components, and two of them may show the same
/// component.
public struct CakeContext: Sendable {
  /// The visible components; the repository is not among them.
  public typealias Components = CustomersComponent & RewardsComponent & SendableMetatype

  private let type: any Components.Type

  /// Creates a value that shows only `Components` of a context, as in
  /// `CakeContext(type: AppContext.self)`.
  ///
  /// - Parameter type: The context; only its `Components` are visible.
  public init(type: any Components.Type) { self.type = type }

  /// The customer service of the context.
  public var customers: any CustomerService { type.customers }
  /// The rewards service of the context.
  public var rewards: any RewardsService { type.rewards }
}
