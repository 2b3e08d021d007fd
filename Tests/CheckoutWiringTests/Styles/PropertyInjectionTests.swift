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

  @Test func `tells at the first use that nothing was assigned, and where that is`() throws {
    let screen = MemberScreen()
    let line: UInt = #line + 1
    let error = try #require(throws: InjectionError.self) { try screen.appear() }
    #expect(error.type == "MemberScreen" && error.missing == ["customers", "rewards"])
    #expect(error.place == SourcePlace(fileID: #fileID, line: line))
    #expect(error.description.contains("\(#fileID):\(line)"))
  }

  @Test func `replaces all by assigning again`() async throws {
    var screen = MemberScreen()
    screen.inject(customers: root.customers, rewards: root.rewards)
    let other = try OneCustomer()
    screen.inject(customers: OneCustomerService(repository: other), rewards: root.rewards)
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
