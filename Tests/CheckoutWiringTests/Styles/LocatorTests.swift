// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Service locators` {
  init() { Log.instance = NoLog() }

  @Test func `a locator resolves a service with its dependencies`() async throws {
    let ada = try OneCustomer()
    let container = Container.standard(ada)
    let rewards: any RewardsService = try container.resolve()
    #expect(try await rewards.buildTeam(leader: ada.customer.id).leader == ada.customer.id)
    #expect(ada.changes == 1)
  }

  @Test func `a locator uses the password verifier that a test registers`() async throws {
    let container = Container.standard(try OneCustomer()).without((any PasswordVerifier).self)
      .register((any PasswordVerifier).self, OpenDoor())
    let customers: any CustomerService = try container.resolve()
    #expect(try await customers.authenticate(name: "Ada", password: "any").name == "Ada")
  }

  @Test func `a locator reports a missing dependency`() throws {
    let container = Container().register(RewardsFactory())
    #expect(container.check().map(\.service) == ["CustomerService"])
    let error = try #require(throws: ResolutionError.self) {
      try container.resolve((any RewardsService).self)
    }
    guard case .missing = error.reason else { throw error }
    #expect(error.askedBy == ["RewardsService"] && error.place.fileID.hasSuffix("Locator.swift"))
  }

  @Test func `a test double replaces a registration removed from a locator`() async throws {
    let container = Container.standard(MemoryCustomerRepository())
    let ada = try OneCustomer()
    let double: any CustomerService = OneCustomerService(repository: ada)
    let test = container.without((any CustomerService).self)
      .register((any CustomerService).self, double)
    let team = try await test.resolve((any RewardsService).self).buildTeam(leader: ada.customer.id)
    #expect(team.leader == ada.customer.id && ada.changes == 1)
    let leader = try Customer(name: "nobody").id
    await #expect(throws: RewardsError.customer(.unknownCustomer(leader))) {
      try await container.resolve((any RewardsService).self).buildTeam(leader: leader)
    }
  }

  @Test func `a factory's service is found only under the types that the factory supports`() throws
  {
    let container = Container.standard(try OneCustomer())
    #expect(throws: Never.self) { try container.resolve(StandardRewardsService.self) }
    #expect(throws: Never.self) { try container.resolve((any RewardsService).self) }
    #expect(throws: ResolutionError.self) { try container.resolve(StandardCustomerService.self) }
    #expect(!RewardsFactory().supports((any CustomerService).self))
  }

  @Test func `a container resolves its plug-in parent's services and throws for missing services`()
    async throws
  {
    let ada = try OneCustomer()
    let plugIns = PlugIns([OneCustomerService(repository: ada)])
    let container = Container(parent: plugIns).register(RewardsFactory())
    let rewards = try container.resolve((any RewardsService).self)
    #expect(try await rewards.buildTeam(leader: ada.customer.id).leader == ada.customer.id)
    #expect(throws: ResolutionError.self) { try container.resolve((any BasketStore).self) }
    let named = #expect(throws: ResolutionError.self) {
      try container.resolve((any CustomerService).self, named: "north")
    }
    #expect(named?.service == "CustomerService “north”")
    #expect(throws: ResolutionError.self) {
      try container.resolve((any CustomerService).self, with: 1)
    }
    let optional = #expect(throws: ResolutionError.self) {
      let _: (any BasketStore)? = try container.resolve()
    }
    #expect(optional?.service == "BasketStore")
  }
}
