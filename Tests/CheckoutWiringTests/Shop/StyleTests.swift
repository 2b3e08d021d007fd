import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

@Suite(.frozen(at: "2026-11-27T12:00:00Z")) struct `Every style of wiring` {
  /// The cake is made once for the process, so the tests share its parts.
  static let cakeParts = Result { try parts() }

  init() { Log.instance = NoLog() }

  static func parts() throws -> ShopParts {
    ShopParts(prices: try Shop.example().prices, passwords: CountingPasswords())
  }

  static func shop(_ style: WiringStyle) throws -> any WiredShop {
    try style.shop(from: style == .cake ? cakeParts.get() : parts())
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
    let parts = style == .cake ? try Self.cakeParts.get() : try Self.parts()
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

  @Test func `refuses, as a cake, other parts than its first`() throws {
    _ = try WiringStyle.cake.shop(from: Self.cakeParts.get())
    let error = try #require(throws: WiringError.self) {
      _ = try WiringStyle.cake.shop(from: Self.parts())
    }
    guard case .cakeAlreadyBaked = error else { throw error }
  }

  @Test func `says, as a locator, what is missing when it is asked`() throws {
    let shop = LocatorShop(Container.standard(MemoryCustomerRepository()))
    _ = try shop.rewards
    let error = try #require(throws: WiringError.self) { _ = try shop.client }
    guard case .unresolved(let reason) = error, case .missing = reason.reason else { throw error }
    #expect(reason.service == "BasketClient" && reason.askedBy.isEmpty)
  }

  @Test func `sees, as a locator, what is replaced while it runs`() async throws {
    let container = Container.shop(from: try Self.parts())
    let shop = LocatorShop(container)
    let name = try await shop.customers.register(name: "Ada", password: "1").name
    await #expect(throws: CustomerError.notAuthenticated) {
      try await shop.customers.authenticate(name: name, password: "wrong")
    }
    try container.replace((any PasswordVerifier).self, with: OpenDoor())
    _ = try await shop.customers.authenticate(name: name, password: "wrong")
    #expect(container.check().isEmpty)
  }
}
