// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Service factories` {
  init() { Log.instance = NoLog() }

  @Test func `services made by one factory share their customers`() async throws {
    let factory: any ShopFactory = MemoryShopFactory()
    let ada = try await factory.makeCustomers().register(name: "Ada", password: "1")
    #expect(try await factory.makeRewards().buildTeam(leader: ada.id).leader == ada.id)
  }

  @Test func `overriding a factory's makeRepository() changes every service made by the factory`()
    async throws
  {
    struct TestFactory: ShopFactory {
      let double: OneCustomer
      func makeRepository() -> any CustomerRepository { double }
      func makePasswords() -> any PasswordVerifier { OpenDoor() }
    }
    let factory = TestFactory(double: try OneCustomer())
    let leader = factory.double.customer.id
    #expect(
      try await factory.makeCustomers().authenticate(name: "Ada", password: "any").id == leader)
    #expect(try await factory.makeRewards().buildTeam(leader: leader).leader == leader)
    #expect(factory.double.changes == 1)
  }

  @Test func `services from a factory that makes a new repository each time share no customers`()
    async throws
  {
    struct Forgetful: ShopFactory {
      func makeRepository() -> any CustomerRepository { MemoryCustomerRepository() }
    }
    let ada = try await Forgetful().makeCustomers().register(name: "Ada", password: "1")
    await #expect(throws: RewardsError.customer(.unknownCustomer(ada.id))) {
      try await Forgetful().makeRewards().buildTeam(leader: ada.id)
    }
  }
}
