// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import Testing

@testable import CheckoutWiring

@Suite(.frozen(at: "2026-11-27T12:00:00Z")) struct `Wiring styles` {
  init() { Log.instance = NoLog() }

  static func parts() throws -> ShopParts {
    ShopParts(prices: try Shop.example().prices, passwords: CountingPasswords())
  }

  static func shop(_ style: WiringStyle) throws -> any WiredShop {
    style.shop(from: try parts())
  }

  @Test(arguments: WiringStyle.allCases)
  func `each wiring style builds its own type of shop`(style: WiringStyle) throws {
    let shapes: [WiringStyle: any WiredShop.Type] = [
      .initializer: InitializerShop.self, .property: PropertyShop.self,
      .factory: FactoryShop.self, .locator: LocatorShop.self,
    ]
    let shop = try Self.shop(style)
    #expect(type(of: shop) == shapes[style])
  }

  @Test(arguments: WiringStyle.allCases)
  func `in each wiring style, a customer's visit to the shop has the same result`(
    style: WiringStyle
  )
    async throws
  {
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
    let registered = try #require(log.records.first { $0.message == "customer registered" })
    let ended = try #require(log.records.last { $0.message == "visit ended" })
    #expect(ended.level == .info && ended.metadata["total"] == 604.26)
    let customer = try #require(ended.metadata["customer"])
    #expect(registered.metadata["customer"] == customer)
  }

  @Test func `a shop visit starts and ends with an empty basket and earns at least 1 point`()
    async throws
  {
    let sweets = try Shop(
      name: "Sweets", zone: .utc,
      products: [Product(sku: "sweet", name: "Sweet", price: Money("0.50 USD"))],
      tax: TaxSchedule(rates: []))
    let parts = ShopParts(prices: sweets.prices, passwords: CountingPasswords())
    let shop = WiringStyle.initializer.shop(from: parts)
    try await shop.client.add("sweet", 7)
    for (count, points) in [(1, 1), (3, 1), (4, 2)] {
      let visit = try await shop.visit([BasketLine("sweet", count)])
      #expect(try visit.lines == [BasketLine("sweet", count)])
      #expect(visit.points == points)
      #expect(try parts.store.load()?.isEmpty == true)
    }
  }

  @Test(arguments: WiringStyle.allCases)
  func `points awarded by the rewards service are visible in the customer service`(
    style: WiringStyle
  )
    async throws
  {
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
  func `a wired shop uses the repository and the store passed to it`(style: WiringStyle)
    async throws
  {
    let parts = try Self.parts()
    let shop = style.shop(from: parts)
    let name = "customer in \(style)"
    let customer = try await shop.customers.register(name: name, password: "1")
    #expect(try await parts.repository.record(named: name)?.customer == customer)
    #expect(try shop.client === shop.client)
    try await shop.client.add("coffee", 1)
    #expect(try parts.store.load()?.lines == [BasketLine("coffee", 1)])
  }

  @Test(arguments: WiringStyle.allCases)
  func `in each wiring style, building a team promotes the leader`(style: WiringStyle) async throws
  {
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
  func `in each wiring style, concurrent awards of points all count`(style: WiringStyle)
    async throws
  {
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

  @Test func `LocatorShop reports a missing service only when that service is requested`() throws {
    let shop = LocatorShop(Container.standard(MemoryCustomerRepository()))
    _ = try shop.rewards
    let error = try #require(throws: WiringError.self) { _ = try shop.client }
    guard case .unresolved(let reason) = error, case .missing = reason.reason else { throw error }
    #expect(reason.service == "BasketClient" && reason.askedBy.isEmpty)
  }

  @Test func `LocatorShop errors name the service, the location and the fix`()
    throws
  {
    let shop = LocatorShop(Container())
    let cases: [(service: String, ask: () throws -> Void)] = [
      ("BasketClient", { _ = try shop.client }), ("CustomerService", { _ = try shop.customers }),
      ("RewardsService", { _ = try shop.rewards }),
    ]
    for (service, ask) in cases {
      let error = try #require(throws: WiringError.self) { try ask() }
      guard case .unresolved(let reason) = error else { throw error }
      #expect(reason.place.fileID == "CheckoutWiring/LocatorShop.swift")
      guard case .missing = reason.reason else { throw error }
      #expect(reason.service == service && reason.askedBy == [])
    }
  }
}

/// Each fails when the shop is not built in the shape of its style.
@Suite(.isolatedAmbients) struct `Wired shop types` {
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

  @Test func `InitializerShop connects its services by their initializers`() async throws {
    let shop = InitializerShop(parts)
    let rewards = try #require(shop.rewards as? StandardRewardsService)
    let customers = try #require(rewards.customers as? StandardCustomerService)
    #expect(customers.repository as? OneCustomer === ada)
    try await expectAda(in: shop)
  }

  @Test func `PropertyShop throws notInjected until its parts are injected`() async throws {
    var shop = PropertyShop()
    func expectNothing(_ body: () throws -> Void) throws {
      let error = try #require(throws: WiringError.self) { try body() }
      guard case .notInjected(let reason) = error else { throw error }
      #expect(reason.type == "PropertyShop" && reason.missing == ["parts"])
      #expect(reason.place.fileID == "CheckoutWiring/PropertyShop.swift")
    }
    try expectNothing { _ = try shop.client }
    try expectNothing { _ = try shop.customers }
    try expectNothing { _ = try shop.rewards }
    shop.inject(parts)
    try await expectAda(in: shop)
  }

  @Test func `FactoryShop makes all its services with the factory's methods`() async throws {
    struct TestFactory: BasketShopFactory {
      let parts: ShopParts
      let made = Counter()
      func counted<Part>(_ part: Part) -> Part {
        made.next()
        return part
      }
      func makeStore() -> any BasketStore { counted(parts.store) }
      func makeBasketService() -> any BasketService { counted(parts.service) }
      func makePrices() -> PriceList { counted(parts.prices) }
      func makeRepository() -> any CustomerRepository { counted(parts.repository) }
      func makePasswords() -> any PasswordVerifier { counted(parts.passwords) }
    }
    let factory = TestFactory(parts: parts)
    try await expectAda(in: FactoryShop(factory))
    // Three for the basket; two for the customers, and two for those of the rewards.
    #expect(factory.made.value == 7)
  }

  @Test func `LocatorShop asks its container for a service on each use`() async throws {
    let container = Container.shop(from: parts)
    #expect(container.check().isEmpty)
    try await expectAda(in: LocatorShop(container))
    let asked = Counter()
    let double = OneCustomerService(repository: ada)
    let shop = LocatorShop(
      container.without((any CustomerService).self).register((any CustomerService).self) { _ in
        asked.next()
        return double
      })
    #expect(asked.value == 0)
    for count in 1...3 {
      #expect(try shop.customers is OneCustomerService)
      #expect(asked.value == count)
    }
  }
}
