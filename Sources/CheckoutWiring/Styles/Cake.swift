internal import Ambient
public import Checkout

/// The cake: each service has a component protocol, which says what others it needs; an enum that
/// conforms to all of them is the whole program, put together by the compiler.
///
/// Right for a program that is wired once, the same for its whole life. Its constants are the
/// process's: a second set of parts needs a second enum.
public enum Cake {
  /// Has a customer repository.
  public protocol RepositoryComponent {
    static var repository: any CustomerRepository { get }
    static func createRepository() -> any CustomerRepository
  }

  /// Has a password verifier.
  public protocol PasswordsComponent {
    static var passwords: any PasswordVerifier { get }
    static func createPasswords() -> any PasswordVerifier
  }

  /// Has a customer service; it is created if there are a repository and a verifier.
  public protocol CustomersComponent {
    static var customers: any CustomerService { get }
    static func createCustomers() -> any CustomerService
  }

  /// Has a rewards service; it is created if there is a customer service.
  public protocol RewardsComponent {
    static var rewards: any RewardsService { get }
    static func createRewards() -> any RewardsService
  }

  /// Has the buyer's basket.
  public protocol ClientComponent {
    static var client: BasketClient { get }
    static func createClient() -> BasketClient
  }

  /// A context value: shows a chosen part of a cake, so that whoever is given it sees only that.
  public struct Members<Context: CustomersComponent & RewardsComponent>: Sendable {
    public init(_ context: Context.Type) {}
    public var customers: any CustomerService { Context.customers }
    public var rewards: any RewardsService { Context.rewards }
  }

  /// A context value of what makes a shop; repository and verifier stay out of sight.
  public struct Shop<Context: CustomersComponent & RewardsComponent & ClientComponent>: WiredShop {
    public init(_ context: Context.Type) {}
    public var client: BasketClient { Context.client }
    public var customers: any CustomerService { Context.customers }
    public var rewards: any RewardsService { Context.rewards }
  }

  private static let oven = Guarded<ShopParts?>(nil)

  /// The shop of the cake below, whose constants are made from the first parts of the process.
  public static func shop(from parts: ShopParts) throws(WiringError) -> any WiredShop {
    let baked = oven.withLock { oven in
      oven = oven ?? parts
      return oven === parts
    }
    guard baked else { throw .cakeAlreadyBaked }
    return Shop(Whole.self)
  }

  /// The context: no value of it exists; each constant is made when it is first used, once.
  private enum Whole: RepositoryComponent, PasswordsComponent, RewardsComponent,
    CustomersComponent, ClientComponent
  {
    static let repository = createRepository()
    static let passwords = createPasswords()
    static let customers = createCustomers()
    static let rewards = createRewards()
    static let client = createClient()

    private static var parts: ShopParts {
      guard let parts = oven.withLock(\.self) else {
        preconditionFailure("only shop(from:) hands this context out, and it fills the oven")
      }
      return parts
    }

    static func createRepository() -> any CustomerRepository { parts.repository }
    static func createPasswords() -> any PasswordVerifier { parts.passwords }
    static func createClient() -> BasketClient {
      BasketClient(store: parts.store, service: parts.service, prices: parts.prices)
    }
  }
}

extension Cake.CustomersComponent where Self: Cake.RepositoryComponent & Cake.PasswordsComponent {
  public static func createCustomers() -> any CustomerService { CakeCustomers<Self>() }
}

/// An implementation that only its component can name: it takes its parts from the context.
private struct CakeCustomers<
  Context: Cake.RepositoryComponent & Cake.PasswordsComponent
>: CustomerLogic {
  var repository: any CustomerRepository { Context.repository }
  var passwords: any PasswordVerifier { Context.passwords }
}

extension Cake.RewardsComponent where Self: Cake.CustomersComponent {
  public static func createRewards() -> any RewardsService { CakeRewards<Self>() }
}

private struct CakeRewards<Context: Cake.CustomersComponent>: RewardsLogic {
  var customers: any CustomerService { Context.customers }
}
