import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

/// A verifier that lets everybody in: the double that each style is to use.
private struct OpenDoor: PasswordVerifier {
  var decoy: PasswordHash { PasswordHash(rawValue: "") }
  func hash(_ password: String) -> PasswordHash { decoy }
  func verify(_ password: String, against hash: PasswordHash) -> Bool { true }
}

@Suite(.isolatedAmbients) struct `A test replaces one part` {
  let parts: ShopParts

  init() throws {
    Log.instance = NoLog()
    parts = ShopParts(prices: try Shop.example().prices, passwords: CountingPasswords())
  }

  private func expectOpenDoor(_ customers: any CustomerService) async throws {
    let name = "somebody"
    let customer = try await customers.register(name: name, password: "1")
    #expect(try await customers.authenticate(name: name, password: "wrong") == customer)
  }

  @Test func `of initializer injection by another argument`() async throws {
    try await expectOpenDoor(
      StandardCustomerService(repository: parts.repository, passwords: OpenDoor()))
  }

  @Test func `of property injection by an assignment`() async throws {
    var customers = PropertyInjection.Customers()
    customers.passwords = OpenDoor()
    try await expectOpenDoor(customers)
  }

  @Test func `of property injection for one service, while another keeps its own`() async throws {
    var shop = PropertyInjection.Shop(prices: parts.prices)
    var customers = PropertyInjection.Customers()
    customers.passwords = OpenDoor()
    shop.customers = customers
    let ada = try await shop.customers.register(name: "Ada", password: "1")
    let rewards = shop.rewards
    await #expect(throws: RewardsError.customer(.unknownCustomer(ada.id))) {
      try await rewards.award(1, to: ada.id, in: CustomerGroup(leader: ada.id))
    }
  }

  @Test func `of method injection by another argument of one call`() async throws {
    let shop = MethodInjection.shop(from: parts)
    let ada = try await shop.customers.register(name: "Ada", password: "1")
    #expect(
      try await MethodInjection.authenticate(
        name: "Ada", password: "wrong", in: parts.repository, checkedBy: OpenDoor()) == ada)
    await #expect(throws: CustomerError.notAuthenticated) {
      try await MethodInjection.authenticate(
        name: "Ada", password: "wrong", in: parts.repository, checkedBy: parts.passwords)
    }
    let award = try await MethodInjection.award(
      7, to: ada.id, of: CustomerGroup(leader: ada.id), in: parts.repository,
      checkedBy: OpenDoor())
    #expect(award.member.points == 7)
  }

  @Test func `of factories by a factory that changes one method`() async throws {
    struct TestFactory: Factories.ShopFactory {
      let standard: Factories.StandardFactory
      func makeClient() -> BasketClient { standard.makeClient() }
      func makeRepository() -> any CustomerRepository { standard.makeRepository() }
      func makePasswords() -> any PasswordVerifier { OpenDoor() }
    }
    try await expectOpenDoor(
      Factories.Shop(TestFactory(standard: Factories.StandardFactory(parts))).customers)
  }

  @Test func `of a cake by an enum of its own, seen through a context value`() async throws {
    enum TestCake: Cake.RepositoryComponent, Cake.PasswordsComponent, Cake.CustomersComponent,
      Cake.RewardsComponent
    {
      static let repository = createRepository()
      static let passwords = createPasswords()
      static let customers = createCustomers()
      static let rewards = createRewards()
      static func createRepository() -> any CustomerRepository { MemoryCustomerRepository() }
      static func createPasswords() -> any PasswordVerifier { OpenDoor() }
    }
    let members = Cake.Members(TestCake.self)
    try await expectOpenDoor(members.customers)
    let somebody = try await members.customers.authenticate(name: "somebody", password: "")
    let award = try await members.rewards.award(
      1, to: somebody.id, in: CustomerGroup(leader: somebody.id))
    #expect(award.member.points == 1)
  }

  @Test func `of a minimal cake by leaving out one mix-in`() async throws {
    struct TestShop: MinimalCake.MixInRepository, MinimalCake.MixInCustomers {
      let parts: ShopParts
      let passwords: any PasswordVerifier = OpenDoor()
    }
    try await expectOpenDoor(TestShop(parts: parts).customers)
  }

  @Test func `of dependency mixins by declaring a property`() async throws {
    struct TestCustomers: CustomerLogic, DependencyMixins.RequiresPasswords,
      DependencyMixins.RequiresRepository
    {
      let repository: any CustomerRepository = MemoryCustomerRepository()
      let passwords: any PasswordVerifier = OpenDoor()
    }
    struct Standard: DependencyMixins.RequiresPasswords {}
    try await expectOpenDoor(TestCustomers())
    #expect(Standard().passwords is SystemPasswordVerifier)
  }

  @Test func `of a locator by a later registration, or while it runs`() async throws {
    let container = Locator.container(for: parts)
    let later = container.register((any PasswordVerifier).self, OpenDoor())
    try await expectOpenDoor(Locator.Shop(later).customers)
    let shop = Locator.Shop(container)
    await #expect(throws: CustomerError.notAuthenticated) {
      try await shop.customers.authenticate(name: "somebody", password: "wrong")
    }
    try container.replace((any PasswordVerifier).self, with: OpenDoor())
    _ = try await shop.customers.authenticate(name: "somebody", password: "wrong")
    #expect(container.check().isEmpty)
  }

  @Test func `and a locator that misses one says so when it is asked`() throws {
    let shop = Locator.Shop(
      Container().register((any CustomerService).self) {
        StandardCustomerService(repository: try $0.resolve(), passwords: try $0.resolve())
      })
    let error = try #require(throws: WiringError.self) { _ = try shop.customers }
    guard case .unresolved(let reason) = error, case .missing = reason.reason else { throw error }
    #expect(reason.service == "CustomerRepository" && reason.askedBy == ["CustomerService"])
  }

  @Test func `and a cake refuses other parts than its first`() async throws {
    _ = try WiringStyle.cake.shop(from: `Every style of wiring`.cakeParts.get())
    let error = try #require(throws: WiringError.self) {
      _ = try WiringStyle.cake.shop(from: parts)
    }
    guard case .cakeAlreadyBaked = error else { throw error }
  }
}
