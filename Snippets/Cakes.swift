// The cake and the minimal cake: components and mix-ins that the compiler puts together.

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring

struct Record: CustomerRepository {
  func record(named name: String) -> CustomerRecord? { nil }
  func add(_ record: CustomerRecord) {}
  func apply(_ change: CustomerChange, to id: Customer.ID) throws(CustomerError) -> Customer {
    throw .unknownCustomer(id)
  }
}

// snippet.cake
let eve = try await AppContext.customers.register(name: "Eve", password: "open sesame")
let eveTeam = try await AppContext.rewards.buildTeam(leader: eve.id)
// snippet.end

// snippet.cake-context
enum Demonstration: StaticRepositoryComponent, StandardCustomersComponent,
  StandardRewardsComponent
{
  static let repository = createRepository()
  static let customers = createCustomers()
  static let rewards = createRewards()
}
// snippet.end

// snippet.cake-double
enum TestContext: MemoryRepositoryComponent, StandardCustomersComponent {
  static let repository: any CustomerRepository = Record()  // a double: not createRepository()
  static let customers = createCustomers()
}
// snippet.end

// snippet.cake-value
struct TeamPage {
  let context: Context  // customers and rewards of some context, and nothing else of it

  func found(by name: String, password: String) async throws -> CustomerGroup {
    let leader = try await context.customers.authenticate(name: name, password: password)
    return try await context.rewards.buildTeam(leader: leader.id)
  }
}

let page = TeamPage(context: Context(type: AppContext.self))
// snippet.end

// snippet.minimal
let service = MixInRewardsService()
let max = try await service.customerService.register(name: "Max", password: "open sesame")
let maxTeam = try await service.buildTeam(leader: max.id)
// snippet.end

// snippet.minimal-double
final class CustomerServiceForTest: MinimalCustomerService {
  let customerRepository: any CustomerRepository = Record()  // not MixInCustomerRepository()
  let passwords: any PasswordVerifier = SystemPasswordVerifier()
}

final class RewardsServiceForTest: MinimalRewardsService {
  let customerService: any CustomerService = CustomerServiceForTest()
}
// snippet.end
