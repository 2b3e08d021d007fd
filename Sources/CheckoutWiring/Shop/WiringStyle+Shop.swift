internal import Ambient
internal import Checkout

// The one shop in every style: how the parts of a shop get into the services of each. The styles
// themselves do not know of it.

extension WiringStyle {
  /// The shop, connected in this style.
  ///
  /// - Throws: ``WiringError/cakeAlreadyBaked`` for the second parts that a process gives to the
  ///   cake.
  public func shop(from parts: ShopParts) throws(WiringError) -> any WiredShop {
    switch self {
    case .initializer: return PlainShop(initializersFor: parts)
    case .property: return PropertyShop(parts)
    case .method: return MethodShop(parts)
    case .factory: return PlainShop(factoryFor: parts)
    case .cake: return try CakeShop(parts)
    case .minimalCake: return PlainShop(minimalCakeFor: parts)
    case .mixin: return PlainShop(mixinsFor: parts)
    case .locator: return LocatorShop(.shop(from: parts))
    }
  }
}

extension ShopParts {
  fileprivate var client: BasketClient {
    BasketClient(store: store, service: service, prices: prices)
  }
}

/// A shop whose services were connected when it was made, by one of four styles.
private struct PlainShop: WiredShop {
  let client: BasketClient
  let customers: any CustomerService
  let rewards: any RewardsService

  init(initializersFor parts: ShopParts) {
    let root = CompositionRoot(repository: parts.repository, passwords: parts.passwords)
    client = parts.client
    customers = root.customers
    rewards = root.rewards
  }

  init(factoryFor parts: ShopParts) {
    let factory = PartsFactory(parts: parts)
    client = parts.client
    customers = factory.makeCustomers()
    rewards = factory.makeRewards()
  }

  init(minimalCakeFor parts: ShopParts) {
    let rewards = PartsRewards(
      customerService: PartsCustomers(
        customerRepository: parts.repository, passwords: parts.passwords))
    client = parts.client
    customers = rewards.customerService
    self.rewards = rewards
  }

  init(mixinsFor parts: ShopParts) {
    let rewards = MixedRewards(
      customerService: MixedCustomers(
        customerRepository: parts.repository, passwords: parts.passwords))
    client = parts.client
    customers = rewards.customerService
    self.rewards = rewards
  }
}

/// The factory of the parts; it changes what the standard one makes otherwise.
private struct PartsFactory: ShopFactory {
  let parts: ShopParts

  func makeRepository() -> any CustomerRepository { parts.repository }

  func makeCustomers() -> any CustomerService {
    StandardCustomerService(repository: makeRepository(), passwords: parts.passwords)
  }
}

/// The minimal cake without `MixIn…`: its constants are given.
private struct PartsCustomers: MinimalCustomerService {
  let customerRepository: any CustomerRepository
  let passwords: any PasswordVerifier
}

private struct PartsRewards: MinimalRewardsService {
  let customerService: any CustomerService
}

/// The mixins with properties of the types' own in the place of the application's answers.
private struct MixedCustomers: CustomerLogic, RequiresCustomerRepository {
  let customerRepository: any CustomerRepository
  let passwords: any PasswordVerifier

  var repository: any CustomerRepository { customerRepository }
}

private struct MixedRewards: RewardsLogic, RequiresCustomerService {
  let customerService: any CustomerService

  var customers: any CustomerService { customerService }
}

/// A shop whose screen was made empty, and then given its services.
private struct PropertyShop: WiredShop {
  let client: BasketClient
  private var screen = MemberScreen()

  init(_ parts: ShopParts) {
    let root = CompositionRoot(repository: parts.repository, passwords: parts.passwords)
    client = parts.client
    screen.inject(customers: root.customers, rewards: root.rewards)
  }

  var customers: any CustomerService { screen.customers }
  var rewards: any RewardsService { screen.rewards }
}

/// A shop that carries its parts, and passes them with each call.
private struct MethodShop: WiredShop {
  let client: BasketClient
  private let parts: ShopParts

  init(_ parts: ShopParts) {
    self.parts = parts
    client = parts.client
  }

  var customers: any CustomerService {
    BranchDesk().customers(of: parts.repository, checkedBy: parts.passwords)
  }

  var rewards: any RewardsService { BranchDesk().rewards(of: parts.repository) }
}

/// The shop of a cake whose constants are made from the first parts of the process.
private struct CakeShop: WiredShop {
  private enum Shop: MemoryRepositoryComponent, StandardCustomersComponent,
    StandardRewardsComponent
  {
    static let parts = Guarded<ShopParts?>(nil)
    static let client = baked.client
    static let repository = baked.repository
    static let customers: any CustomerService = StandardCustomerService(
      repository: repository, passwords: baked.passwords)
    static let rewards = createRewards()

    private static var baked: ShopParts {
      guard let parts = parts.withLock(\.self) else {
        preconditionFailure("only CakeShop uses this context, and gives it parts before")
      }
      return parts
    }
  }

  init(_ parts: ShopParts) throws(WiringError) {
    let isBaked = Shop.parts.withLock { kept in
      kept = kept ?? parts
      return kept === parts
    }
    guard isBaked else { throw .cakeAlreadyBaked }
  }

  var client: BasketClient { Shop.client }
  var customers: any CustomerService { Context(type: Shop.self).customers }
  var rewards: any RewardsService { Context(type: Shop.self).rewards }
}
