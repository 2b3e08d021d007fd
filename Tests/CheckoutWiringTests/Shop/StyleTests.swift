import Ambient
import AmbientTesting
import Checkout
import Testing

@testable import CheckoutWiring

@Suite(.frozen(at: "2026-11-27T12:00:00Z")) struct `Every style of wiring` {
  /// A process gives its program one set of parts, so the tests of the cakes share it.
  static let programParts = Result { try parts() }

  init() { Log.instance = NoLog() }

  static func parts() throws -> ShopParts {
    ShopParts(prices: try Shop.example().prices, passwords: CountingPasswords())
  }

  static func parts(for style: WiringStyle) throws -> ShopParts {
    [.cake, .minimalCake].contains(style) ? try programParts.get() : try parts()
  }

  static func shop(_ style: WiringStyle) throws -> any WiredShop {
    try style.shop(from: parts(for: style))
  }

  @Test(arguments: WiringStyle.allCases)
  func `makes a shop in which the same visit has the same result`(style: WiringStyle) async throws {
    let analytics = AnalyticsRecorder()
    let log = LogRecorder()
    Analytics.instance = analytics
    Log.instance = log
    let lines = [try BasketLine("coffee", 2), try BasketLine("grinder", 8)]
    let visit = try await Self.shop(style).visit(lines)
    #expect(visit.lines == lines)
    #expect("\(visit.total)" == "604.26 USD")
    #expect(visit.points == 604 && visit.tier == .silver)
    #expect(
      analytics.events.map(\.name)
        == ["sign_up", "login", "add_to_cart", "add_to_cart", "level_up"])
    #expect(log.records.map(\.message).contains("customer promoted"))
  }

  @Test(arguments: WiringStyle.allCases)
  func `puts the three levels on top of each other`(style: WiringStyle) async throws {
    let shop = try Self.shop(style)
    let name = "leader in \(style)"
    let leader = try await shop.customers.register(name: name, password: "1")
    let award = try await shop.rewards.award(
      2_000, to: leader.id, in: CustomerGroup(leader: leader.id))
    #expect(award.member.tier == .gold)
    #expect(try await shop.customers.authenticate(name: name, password: "1") == award.member)
    await #expect(throws: CustomerError.notAuthenticated) {
      try await shop.customers.authenticate(name: name, password: "2")
    }
  }

  @Test(arguments: WiringStyle.allCases)
  func `uses the parts that it was given`(style: WiringStyle) async throws {
    let parts = try Self.parts(for: style)
    let shop = try style.shop(from: parts)
    let name = "customer in \(style)"
    let customer = try await shop.customers.register(name: name, password: "1")
    #expect(try await parts.repository.record(named: name)?.customer == customer)
    #expect(try shop.client === shop.client)
  }

  @Test(arguments: WiringStyle.allCases)
  func `builds a team whose leader is promoted`(style: WiringStyle) async throws {
    let shop = try Self.shop(style)
    let name = "head in \(style)"
    let leader = try await shop.customers.register(name: name, password: "1")
    #expect(try await shop.rewards.buildTeam(leader: leader.id).members == [leader.id])
    let now = try await shop.customers.authenticate(name: name, password: "1")
    #expect(now.tier == .silver)
    let nobody = try Customer(name: "nobody").id
    await #expect(throws: RewardsError.customer(.unknownCustomer(nobody))) {
      try await shop.rewards.buildTeam(leader: nobody)
    }
  }

  @Test(arguments: WiringStyle.allCases)
  func `serves many at once`(style: WiringStyle) async throws {
    let shop = try Self.shop(style)
    let leader = try await shop.customers.register(name: "busy in \(style)", password: "1")
    let group = CustomerGroup(leader: leader.id)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for _ in 0..<50 {
        tasks.addTask { _ = try await shop.rewards.award(10, to: leader.id, in: group) }
      }
      try await tasks.waitForAll()
    }
    let now = try await shop.customers.authenticate(name: "busy in \(style)", password: "1")
    #expect(now.points == 500 && now.tier == .silver)
  }

  @Test(arguments: [WiringStyle.cake, .minimalCake])
  func `refuses, as a cake, other parts than the program was given`(style: WiringStyle) throws {
    _ = try style.shop(from: Self.programParts.get())
    let error = try #require(throws: WiringError.self) {
      _ = try style.shop(from: Self.parts())
    }
    guard case .partsAlreadyGiven = error else { throw error }
  }

  @Test func `says, as a locator, what is missing when it is asked`() throws {
    let shop = LocatorShop(Container.standard(MemoryCustomerRepository()))
    _ = try shop.rewards
    let error = try #require(throws: WiringError.self) { _ = try shop.client }
    guard case .unresolved(let reason) = error, case .missing = reason.reason else { throw error }
    #expect(reason.service == "BasketClient" && reason.askedBy.isEmpty)
  }
}

/// Each fails when the shop is not built in the shape of its style.
@Suite(.isolatedAmbients) struct `The shape of a style builds the shop` {
  let ada: OneCustomer
  let parts: ShopParts

  init() throws {
    Log.instance = NoLog()
    ada = try OneCustomer()
    parts = ShopParts(prices: try Shop.example().prices, repository: ada, passwords: OpenDoor())
  }

  private func expectAda(in shop: any WiredShop) async throws {
    let leader = try await shop.customers.authenticate(name: "Ada", password: "any")
    #expect(try await shop.rewards.buildTeam(leader: leader.id).leader == ada.customer.id)
    #expect(ada.changes == 1)
    #expect(try shop.client === shop.client)
  }

  @Test func `with initializers: the services are those of one root`() async throws {
    let shop = InitializerShop(parts)
    let rewards = try #require(shop.rewards as? StandardRewardsService)
    let customers = try #require(rewards.customers as? StandardCustomerService)
    #expect(customers.repository as? OneCustomer === ada)
    try await expectAda(in: shop)
  }

  @Test func `with properties: it has nothing before it is injected`() async throws {
    var shop = PropertyShop()
    func expectNothing(_ body: () throws -> Void) throws {
      let error = try #require(throws: WiringError.self) { try body() }
      guard case .notInjected(let reason) = error else { throw error }
      #expect(reason.type == "PropertyShop" && reason.missing == ["client", "root"])
    }
    try expectNothing { _ = try shop.client }
    try expectNothing { _ = try shop.customers }
    try expectNothing { _ = try shop.rewards }
    shop.inject(client: parts.makeClient(), root: parts.makeRoot())
    try await expectAda(in: shop)
  }

  @Test func `with a factory: a method of its own changes all that is made of it`() async throws {
    struct TestFactory: BasketShopFactory {
      let parts: ShopParts
      let made = Counter()
      func makeRepository() -> any CustomerRepository { parts.repository }
      func makePasswords() -> any PasswordVerifier { parts.passwords }
      func makeClient() -> BasketClient {
        made.next()
        return parts.makeClient()
      }
      func makeCustomers() -> any CustomerService {
        made.next()
        return OneCustomerService(repository: makeRepository())
      }
    }
    let factory = TestFactory(parts: parts)
    try await expectAda(in: FactoryShop(factory))
    #expect(factory.made.value == 3)
    try await expectAda(again: FactoryShop(PartsFactory(parts: parts)))
  }

  private func expectAda(again shop: any WiredShop) async throws {
    #expect(try await shop.customers.authenticate(name: "Ada", password: "any") == ada.customer)
  }

  private enum TestContext: ClientComponent, MemoryRepositoryComponent, SystemPasswordsComponent,
    StandardCustomersComponent, CountedRewardsComponent
  {
    static let parts = Result {
      ShopParts(
        prices: try Shop.example().prices, repository: try OneCustomer(), passwords: OpenDoor())
    }
    static let client = createClient()
    static let repository: any CustomerRepository =
      (try? parts.get().repository) ?? createRepository()
    static let passwords: any PasswordVerifier = OpenDoor()
    static let customers = createCustomers()
    static let rewards = createRewards()
    static let made = Counter()

    static func createClient() -> BasketClient {
      made.next()
      return (try? parts.get().makeClient()) ?? ShopParts.ofProgram.makeClient()
    }
  }

  @Test func `with a cake: it shows the constants of its context, made by their components`()
    async throws
  {
    let shop = CakeShop(TestContext.self)
    let double = try #require(try TestContext.parts.get().repository as? OneCustomer)
    let leader = try await shop.customers.authenticate(name: "Ada", password: "any")
    #expect(try await shop.rewards.buildTeam(leader: leader.id).leader == double.customer.id)
    #expect(shop.client === TestContext.client)
    #expect(TestContext.made.value == 2)
    // The program's context creates what stands on nothing from the parts that it was given.
    try `Every style of wiring`.programParts.get().giveToProgram()
    let given = try `Every style of wiring`.programParts.get()
    #expect(ShopContext.createRepository() as AnyObject === given.repository as AnyObject)
    #expect(ShopContext.repository as AnyObject === given.repository as AnyObject)
    #expect(ShopContext.createPasswords() as AnyObject === given.passwords as AnyObject)
  }

  private final class ShopForTest: MinimalShop {
    let basketClient: BasketClient
    let customerService: any CustomerService
    let rewardsService: any RewardsService

    init(_ client: BasketClient, _ customers: any CustomerService) {
      basketClient = client
      customerService = customers
      rewardsService = StandardRewardsService(customers: customers)
    }
  }

  @Test func `with a minimal cake: it shows what it uses, and makes it itself`() async throws {
    try await expectAda(
      in: ShopForTest(parts.makeClient(), OneCustomerService(repository: ada)))
    try `Every style of wiring`.programParts.get().giveToProgram()
    let given = try `Every style of wiring`.programParts.get()
    let rewards = try #require(MixInShop().rewards as? MixInShopRewards)
    let customers = try #require(rewards.customerService as? MixInShopCustomers)
    #expect(customers.customerRepository as AnyObject === given.repository as AnyObject)
    #expect(customers.passwordVerifier as AnyObject === given.passwords as AnyObject)
  }

  @Test func `with a locator: it asks the container at each use`() async throws {
    let container = Container.shop(from: parts)
    #expect(container.check().isEmpty)
    try await expectAda(in: LocatorShop(container))
    let double = container.without((any CustomerService).self)
      .register((any CustomerService).self, OneCustomerService(repository: try OneCustomer()))
    let shop = LocatorShop(double)
    #expect(try shop.customers is OneCustomerService)
  }
}

/// Creates rewards, and counts that.
private protocol CountedRewardsComponent: RewardsComponent {
  static var made: Counter { get }
}

extension CountedRewardsComponent where Self: CustomersComponent {
  static func createRewards() -> any RewardsService {
    made.next()
    return StandardRewardsService(customers: customers)
  }
}
