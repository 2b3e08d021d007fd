// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Initializer injection` {
  let ada: OneCustomer

  init() throws {
    Log.instance = NoLog()
    ada = try OneCustomer()
  }

  @Test func `a service uses the dependencies passed to its initializer`() async throws {
    let customers = StandardCustomerService(repository: ada, passwords: OpenDoor())
    #expect(try await customers.authenticate(name: "Ada", password: "any") == ada.customer)
    let rewards = StandardRewardsService(customers: customers)
    #expect(try await rewards.buildTeam(leader: ada.customer.id).leader == ada.customer.id)
    #expect(ada.changes == 1)
  }

  @Test func `StandardCustomerService uses SystemPasswordVerifier by default`() {
    // That a repository must be given is told by the compiler.
    #expect(StandardCustomerService(repository: ada).passwords is SystemPasswordVerifier)
  }

  @Test func `a composition root connects all services`() async throws {
    let root = CompositionRoot(repository: ada, passwords: OpenDoor())
    let leader = try await root.customers.authenticate(name: "Ada", password: "any")
    #expect(try await root.rewards.buildTeam(leader: leader.id).members == [leader.id])
  }
}
