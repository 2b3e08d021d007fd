internal import Checkout

/// Has a basket.
protocol ClientComponent {
  static var client: BasketClient { get }
  static func createClient() -> BasketClient
}

/// Creates what stands on nothing else from the parts that the program was given.
protocol ProgramPartsComponent: RepositoryComponent, PasswordsComponent, ClientComponent {}

extension ProgramPartsComponent {
  static func createRepository() -> any CustomerRepository { ShopParts.ofProgram.repository }
  static func createPasswords() -> any PasswordVerifier { ShopParts.ofProgram.passwords }
  static func createClient() -> BasketClient { ShopParts.ofProgram.makeClient() }
}

/// The shop as a list of components.
enum ShopContext: ProgramPartsComponent, StandardCustomersComponent, StandardRewardsComponent {
  static let repository = createRepository()
  static let passwords = createPasswords()
  static let client = createClient()
  static let customers = createCustomers()
  static let rewards = createRewards()
}

/// A context value of a shop: it shows the components that a shop has.
struct CakeShop: WiredShop {
  typealias Components = ClientComponent & CustomersComponent & RewardsComponent & SendableMetatype

  private let type: any Components.Type

  init(_ type: any Components.Type) { self.type = type }

  var client: BasketClient { type.client }
  var customers: any CustomerService { type.customers }
  var rewards: any RewardsService { type.rewards }
}
