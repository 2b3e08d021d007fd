// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Rewards service` {
  let customers = StandardCustomerService(
    repository: MemoryCustomerRepository(), passwords: CountingPasswords())
  var rewards: StandardRewardsService { StandardRewardsService(customers: customers) }

  init() { Log.instance = NoLog() }

  @Test func `an award credits the member with all points and the group's leader with a tenth`()
    async throws
  {
    let leader = try await customers.register(name: "leader", password: "1")
    let member = try await customers.register(name: "member", password: "1")
    var group = CustomerGroup(leader: leader.id)
    try group.join(member.id)
    let award = try await rewards.award(119, to: member.id, in: group)
    #expect(award.member.points == 119)
    #expect(award.leader?.points == 11)
    #expect(try await rewards.award(10, to: member.id, in: group).leader?.points == 12)
    #expect(try await rewards.award(9, to: member.id, in: group).leader == nil)
    #expect(try await rewards.award(50, to: leader.id, in: group).leader == nil)
  }

  @Test(arguments: [(499, CustomerTier.standard), (500, .silver), (1_999, .silver), (2_000, .gold)])
  func `an award of points promotes the member at 500 and at 2,000 points`(
    points: Int, tier: CustomerTier
  ) async throws {
    let leader = try await customers.register(name: "leader", password: "1")
    let group = CustomerGroup(leader: leader.id)
    let award = try await rewards.award(points, to: leader.id, in: group)
    #expect(award.member.tier == tier)
    #expect(try await customers.authenticate(name: "leader", password: "1") == award.member)
  }

  @Test func `each CustomerTier starts at its threshold of points`() {
    #expect(CustomerTier.allCases.map(\.threshold) == [0, 500, 2_000])
    #expect(
      [-1, 0, 499, 500, 1_999, 2_000, .max].map(CustomerTier.earned)
        == [.standard, .standard, .standard, .silver, .silver, .gold, .gold])
  }

  @Test func `an award of points doesn't demote a customer from a higher tier`() async throws {
    let leader = try await customers.register(name: "leader", password: "1")
    _ = try await customers.promote(leader.id, to: .gold)
    let award = try await rewards.award(600, to: leader.id, in: CustomerGroup(leader: leader.id))
    #expect(award.member.tier == .gold)
  }

  @Test func `an award of points requests a promotion only if the customer has earned it`()
    async throws
  {
    let ada = try OneCustomer()
    let rewards = StandardRewardsService(customers: OneCustomerService(repository: ada))
    let group = CustomerGroup(leader: ada.customer.id)
    _ = try await rewards.award(499, to: ada.customer.id, in: group)
    #expect(ada.changes == 1)
    // The points, and the tier.
    _ = try await rewards.award(500, to: ada.customer.id, in: group)
    #expect(ada.changes == 3)
  }

  @Test func `an award to a nonmember or of zero points is refused`() async throws {
    let leader = try await customers.register(name: "leader", password: "1")
    let stranger = try await customers.register(name: "stranger", password: "1")
    let group = CustomerGroup(leader: leader.id)
    await #expect(throws: RewardsError.notAMember(stranger.id)) {
      try await rewards.award(1, to: stranger.id, in: group)
    }
    await #expect(throws: RewardsError.customer(.wrongPoints(0))) {
      try await rewards.award(0, to: leader.id, in: group)
    }
  }

  @Test(arguments: CustomerTier.allCases)
  func `building a team promotes its leader to at least silver`(tier: CustomerTier) async throws {
    let leader = try await customers.register(name: "leader", password: "1")
    if tier > .standard { _ = try await customers.promote(leader.id, to: tier) }
    #expect(try await rewards.buildTeam(leader: leader.id) == CustomerGroup(leader: leader.id))
    let now = try await customers.authenticate(name: "leader", password: "1")
    #expect(now.tier == max(tier, .silver))
  }

  @Test func `building a team with an unknown leader fails`() async throws {
    let stranger = try Customer(name: "stranger").id
    await #expect(throws: RewardsError.customer(.unknownCustomer(stranger))) {
      try await rewards.buildTeam(leader: stranger)
    }
  }

  @Test func `a customer group refuses duplicate members and more than 50 members`() throws {
    var group = try CustomerGroup(leader: Customer(name: "leader").id)
    #expect(throws: RewardsError.alreadyMember(group.leader)) { try group.join(group.leader) }
    for _ in 1..<50 { try group.join(Customer(name: "member").id) }
    let last = try Customer(name: "last").id
    #expect(throws: RewardsError.groupFull) { try group.join(last) }
    #expect(group.members.first == group.leader && group.members.count == 50)
    #expect(CustomerGroup.limit == 50)
  }
}
