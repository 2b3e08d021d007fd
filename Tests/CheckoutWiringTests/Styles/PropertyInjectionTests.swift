// SPDX-License-Identifier: Apache-2.0

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

  @Test func `a screen uses the services that were injected into its properties`() async throws {
    var screen = MemberScreen()
    screen.inject(customers: root.customers, rewards: root.rewards)
    try screen.appear()
    #expect(try await screen.foundTeam(name: "Ada", password: "any").members.count == 1)
  }

  @Test func `a screen used before inject() reports missing services and the location`() throws {
    let screen = MemberScreen()
    let line: UInt = #line + 1
    let error = try #require(throws: InjectionError.self) { try screen.appear() }
    #expect(error.type == "MemberScreen" && error.missing == ["customers", "rewards"])
    #expect(error.place == SourcePlace(fileID: #fileID, line: line))
    #expect(error.description.contains("\(#fileID):\(line)"))
  }

  @Test func `injecting services into a screen again replaces the services`() async throws {
    var screen = MemberScreen()
    screen.inject(customers: root.customers, rewards: root.rewards)
    let other = try OneCustomer()
    screen.inject(customers: OneCustomerService(repository: other), rewards: root.rewards)
    #expect(
      try await screen.foundTeam(name: "Ada", password: "any").leader == other.customer.id)
  }

  @Test func `an injectable property's default service applies until it is replaced`() throws {
    var screen = MemberScreen()
    let ada = try Customer(name: "Ada")
    #expect(screen.greeting(ada) == "Welcome, Ada!")
    screen.greeting = { "Hello, \($0.name)" }
    #expect(screen.greeting(ada) == "Hello, Ada")
  }
}
