import Ambient
import AmbientTesting
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Property injection` {
  let root: CompositionRoot

  init() throws {
    Log.instance = NoLog()
    root = CompositionRoot(repository: try OneCustomer(), passwords: OpenDoor())
  }

  @Test func `assigns everything at once, and the first use finds it`() async throws {
    var screen = MemberScreen()
    screen.inject(customers: root.customers, rewards: root.rewards)
    try screen.appear()
    #expect(try await screen.foundTeam(name: "Ada", password: "any").members.count == 1)
  }

  @Test func `tells at the first use what was forgotten, and where that is`() throws {
    var screen = MemberScreen()
    let all = try #require(throws: InjectionError.self) { try screen.appear() }
    #expect(all.type == "MemberScreen" && all.missing == ["customers", "rewards"])
    #expect(all.place == SourcePlace(fileID: #fileID, line: #line - 2))
    screen.customers = root.customers
    let line: UInt = #line + 1
    let error = try #require(throws: InjectionError.self) { try screen.appear() }
    #expect(
      error.description == """
        MemberScreen is used at \(#fileID):\(line) without rewards; \
        assign all that it needs right after it is made
        """)
  }

  @Test func `replaces a part on its own`() async throws {
    var screen = MemberScreen()
    screen.inject(customers: root.customers, rewards: root.rewards)
    let other = try OneCustomer()
    screen.customers = OneCustomerService(repository: other)
    #expect(
      try await screen.foundTeam(name: "Ada", password: "any").leader == other.customer.id)
  }

  @Test func `may leave a local default alone, or replace it`() throws {
    var screen = MemberScreen()
    let ada = try Customer(name: "Ada")
    #expect(screen.greeting(ada) == "Welcome, Ada!")
    screen.greeting = { "Hello, \($0.name)" }
    #expect(screen.greeting(ada) == "Hello, Ada")
  }
}
