// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import CheckoutWiring
import Testing

@Suite(.isolatedAmbients) struct `Minimal cake pattern` {
  init() { Log.instance = NoLog() }

  /// The repository is left out.
  private final class CustomerServiceForTest: MinimalCustomerService {
    let double: OneCustomer
    let passwordVerifier: any PasswordVerifier = OpenDoor()
    var customerRepository: any CustomerRepository { double }

    init() throws { double = try OneCustomer() }
  }

  /// The customer service is left out.
  private final class RewardsServiceForTest: MinimalRewardsService {
    let customerService: any CustomerService

    init(_ double: any CustomerService) { customerService = double }
  }

  // Doubles that count their calls.

  private final class CustomersDouble: MinimalCustomerService {
    let customerRepository: any CustomerRepository = MemoryCustomerRepository()
    let passwordVerifier: any PasswordVerifier = OpenDoor()
    let calls = Counter()

    func promote(
      _ id: Customer.ID, to tier: CustomerTier
    ) async throws(CustomerError) -> Customer {
      calls.next()
      return try Customer(name: "double")
    }
  }

  private final class RewardsDouble: MinimalRewardsService {
    let customerService: any CustomerService = CustomersDouble()
    let calls = Counter()

    func buildTeam(leader: Customer.ID) async throws(RewardsError) -> CustomerGroup {
      calls.next()
      return CustomerGroup(leader: leader)
    }
  }

  @Test
  func `in a minimal cake pattern, a test double at any level is called through its protocol`()
    async throws
  {
    let id = try Customer(name: "Ada").id
    let rewards = RewardsDouble()
    let highest: any RewardsService = rewards
    #expect(try await highest.buildTeam(leader: id).leader == id)
    #expect(rewards.calls.value == 1)
    let customers = CustomersDouble()
    let middle: any RewardsService = RewardsServiceForTest(customers)
    #expect(try await middle.buildTeam(leader: id).leader == id)
    #expect(customers.calls.value == 1)
    let lowest: any CustomerService = try CustomerServiceForTest()
    #expect(try await lowest.authenticate(name: "Ada", password: "any").name == "Ada")
  }

  @Test func `creating the top service of a minimal cake pattern also creates all other services`()
    async throws
  {
    let rewards = MixInRewardsService()
    let ada = try await rewards.customerService.register(name: "Ada", password: "1")
    #expect(try await rewards.buildTeam(leader: ada.id).leader == ada.id)
    let silver = try await rewards.customerService.authenticate(name: "Ada", password: "1")
    #expect(silver.tier == .silver)
    #expect(try await rewards.buildTeam(leader: ada.id).leader == ada.id)
  }

  @Test func `in a minimal cake pattern, promote() also logs and tracks an event`() async throws {
    let (log, analytics) = (LogRecorder(), AnalyticsRecorder())
    Log.instance = log
    Analytics.instance = analytics
    let customers = try CustomerServiceForTest()
    #expect(try await customers.promote(customers.double.customer.id, to: .gold).tier == .gold)
    #expect(customers.double.changes == 1)
    #expect(log.records.map(\.message) == ["customer promoted"])
    #expect(analytics.events == [.levelUp(.gold)])
  }

  @Test func `a test double can replace the repository of a minimal cake pattern`() async throws {
    let customers = try CustomerServiceForTest()
    let ada = try await customers.authenticate(name: "Ada", password: "any")
    #expect(try await RewardsServiceForTest(customers).buildTeam(leader: ada.id).leader == ada.id)
    #expect(customers.double.changes == 1)
  }

  @Test func `a test double can replace the customer service of a minimal cake pattern`()
    async throws
  {
    let double = OneCustomerService(repository: try OneCustomer())
    let ada = try await double.authenticate(name: "Ada", password: "any")
    #expect(try await RewardsServiceForTest(double).buildTeam(leader: ada.id).leader == ada.id)
  }

  @Test func `in a minimal cake pattern, buildTeam() throws an error for an unknown leader`()
    async throws
  {
    let nobody = try Customer(name: "nobody").id
    await #expect(throws: RewardsError.customer(.unknownCustomer(nobody))) {
      try await MixInRewardsService().buildTeam(leader: nobody)
    }
  }

  @Test func `two assemblies of the minimal cake pattern share no customers`() async throws {
    let ada = try await MixInCustomerService().register(name: "Ada", password: "1")
    await #expect(throws: RewardsError.customer(.unknownCustomer(ada.id))) {
      try await MixInRewardsService().buildTeam(leader: ada.id)
    }
  }
}
