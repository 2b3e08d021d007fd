// The cake: each service has a *component*, a protocol that says that there is one and how it is
// created. An enum that mixes components is the program: the compiler puts it together.
//
// ```swift
// let eve = try await AppContext.customers.register(name: "Eve", password: "open sesame")
// let eveTeam = try await AppContext.rewards.buildTeam(leader: eve.id)
// ```
//
// Right for a program that is put together once, from parts that are known when it is written. It
// fails by not compiling: if a property is missing, if only the base component is mixed in, or if a
// component is missing that another needs. What the compiler does not see is a circle of constants:
// the first use of one hangs, or stops the program. It is wrong for parts that are known only at
// run time, or that exist several times: the constants are the process's.

// MARK: Components: what there is

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

// MARK: More special components: how it is created

// They require nothing new, and only supply `create…`. Types that belong to one component are
// private: another file can mix in the component, but cannot name the types that it creates.

/// Creates a repository that keeps customers in memory.
public protocol MemoryRepositoryComponent: RepositoryComponent {}

extension MemoryRepositoryComponent {
  public static func createRepository() -> any CustomerRepository { MemoryCustomerRepository() }
}

/// Creates a repository of one customer who never changes, for demonstrations: to use it, write its
/// name in place of ``MemoryRepositoryComponent``.
public protocol StaticRepositoryComponent: RepositoryComponent {}

extension StaticRepositoryComponent where Self: PasswordsComponent {
  public static func createRepository() -> any CustomerRepository {
    StaticRepository(passwords: passwords)
  }
}

private struct StaticRepository: CustomerRepository {
  let guesses = GuessLimiter()
  private let guest: CustomerRecord?

  init(passwords: any PasswordVerifier) {
    guest = try? CustomerRecord(
      customer: Customer(name: "Guest"), password: passwords.hash("guest"))
  }

  func record(named name: String) -> CustomerRecord? {
    CustomerName.folded(name) == "guest" ? guest : nil
  }

  func add(_ record: CustomerRecord) throws(CustomerError) {
    throw .repository("its customers never change")
  }

  func replace(
    _ old: PasswordHash, with new: PasswordHash, of id: Customer.ID
  ) throws(CustomerError) {
    throw .repository("its customers never change")
  }

  func apply(_ change: CustomerChange, to id: Customer.ID) throws(CustomerError) -> Customer {
    throw .repository("its customers never change")
  }
}

/// Creates the system's verifier.
public protocol SystemPasswordsComponent: PasswordsComponent {}

extension SystemPasswordsComponent {
  public static func createPasswords() -> any PasswordVerifier { SystemPasswordVerifier() }
}

/// Creates a customer service; requires a repository and a verifier.
public protocol StandardCustomersComponent: CustomersComponent {}

// The constraints are what this component needs; inside, it is passed to an initializer.
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
/// No value of this type exists. A `static let` is made once, at its first use, on whatever thread.
/// The `lazy var`s of a value would not do: two threads may both initialize one, and reading one
/// changes the value. A test writes an enum of its own, with a constant double in place of a
/// `create…()`.
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
/// Other such types may show other parts, and parts may overlap.
public struct Context: Sendable {
  /// The components that it shows; the repository is not among them.
  public typealias Components = CustomersComponent & RewardsComponent & SendableMetatype

  private let type: any Components.Type

  /// Shows these components of a context, as in `Context(type: AppContext.self)`.
  ///
  /// - Parameter type: The context; only its components are visible.
  public init(type: any Components.Type) { self.type = type }

  /// The customer service of the context.
  public var customers: any CustomerService { type.customers }
  /// The rewards service of the context.
  public var rewards: any RewardsService { type.rewards }
}
