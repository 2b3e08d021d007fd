// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import CheckoutWiring
import Testing

/// Creates what the standard component does, and counts that.
private protocol CountedCustomersComponent: StandardCustomersComponent {
  static var created: Counter { get }
}

extension CountedCustomersComponent where Self: RepositoryComponent, Self: PasswordsComponent {
  static func createCustomers() -> any CustomerService {
    created.next()
    return StandardCustomerService(repository: repository, passwords: passwords)
  }
}

@Suite(.isolatedAmbients) struct `Cake pattern` {
  init() { Log.instance = NoLog() }

  private enum Demonstration: StaticRepositoryComponent, SystemPasswordsComponent,
    StandardCustomersComponent, StandardRewardsComponent
  {
    static let repository = createRepository()
    static let passwords = createPasswords()
    static let customers = createCustomers()
    static let rewards = createRewards()
  }

  /// The repository and the verifier are doubles; all else is created as in the program.
  private enum TestContext: MemoryRepositoryComponent, SystemPasswordsComponent,
    CountedCustomersComponent, StandardRewardsComponent
  {
    static let created = Counter()
    static let double = Result { try OneCustomer() }
    static let repository: any CustomerRepository =
      (try? double.get()) ?? MemoryCustomerRepository()
    static let passwords: any PasswordVerifier = OpenDoor()
    static let customers = createCustomers()
    static let rewards = createRewards()
  }

  @Test func `the services of a cake pattern assembly share one repository`() async throws {
    let ada = try await AppContext.customers.register(name: "Ada", password: "1")
    #expect(try await AppContext.rewards.buildTeam(leader: ada.id).leader == ada.id)
    let record = try await AppContext.repository.record(named: "Ada")
    #expect(record?.customer.tier == .silver)
  }

  @Test func `a cake pattern assembly can mix in a different repository component`() async throws {
    let customers = Demonstration.customers
    let guest = try await customers.authenticate(name: "Guest", password: "guest")
    let unchanging = CustomerError.repository("it is read-only")
    await #expect(throws: unchanging) { try await customers.register(name: "Ada", password: "1") }
    await #expect(throws: RewardsError.customer(unchanging)) {
      try await Demonstration.rewards.buildTeam(leader: guest.id)
    }
  }

  @Test func `a cake pattern assembly in a test uses test doubles and creates the other services`()
    async throws
  {
    let double = try TestContext.double.get()
    let leader = try await TestContext.customers.authenticate(name: "Ada", password: "any")
    #expect(leader == double.customer)
    #expect(try await TestContext.rewards.buildTeam(leader: leader.id).leader == leader.id)
    #expect(double.changes == 1)
    #expect(TestContext.created.value == 1)
  }

  @Test func `a CakeContext exposes the services of its context type`() async throws {
    let context = CakeContext(type: Demonstration.self)
    let guest = try await context.customers.authenticate(name: "Guest", password: "guest")
    #expect(
      try await Demonstration.customers.authenticate(name: "Guest", password: "guest") == guest)
    let unchanging = CustomerError.repository("it is read-only")
    await #expect(throws: RewardsError.customer(unchanging)) {
      try await context.rewards.buildTeam(leader: guest.id)
    }
  }
}
