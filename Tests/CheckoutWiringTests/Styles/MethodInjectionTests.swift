// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Method injection` {
  let desk = BranchDesk()

  init() { Log.instance = NoLog() }

  @Test func `a method adds to the basket store passed to the call`() throws {
    let coffee = try Shop.example().catalogue.product("coffee")
    let stores = [MemoryBasketStore(), MemoryBasketStore()]
    try desk.add(coffee, to: stores[0])
    try desk.add(coffee, to: stores[0])
    #expect(try stores[0].load()?.lines == [BasketLine("coffee", 2)])
    #expect(stores[1].load() == nil)
  }

  @Test func `a method uses the customer repository passed to the call`() async throws {
    let branches = [try OneCustomer(), try OneCustomer()]
    for branch in branches {
      let leader = try await desk.authenticate(
        name: "Ada", password: "any", in: branch, checkedBy: OpenDoor())
      #expect(leader == branch.customer)
      #expect(try await desk.promote(leader.id, to: .gold, in: branch).tier == .gold)
      #expect(try await desk.buildTeam(leader: leader.id, in: branch).leader == leader.id)
      #expect(branch.changes == 2)
    }
  }

  @Test func `a password verifier passed to one call doesn't affect another call`() async throws {
    let branch = try OneCustomer()
    let passwords = CountingPasswords()
    _ = try await desk.authenticate(
      name: "Ada", password: "any", in: branch, checkedBy: OpenDoor())
    await #expect(throws: CustomerError.notAuthenticated) {
      try await desk.authenticate(
        name: "Ada", password: "any", in: branch, checkedBy: passwords)
    }
    #expect(passwords.checks == 1)
  }
}
