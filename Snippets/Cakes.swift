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

struct Bulletin {
  let rewards: any RewardsService
}

// snippet.cake-component
protocol BulletinComponent {  // there is one
  static var bulletin: Bulletin { get }
  static func createBulletin() -> Bulletin
}

protocol StandardBulletinComponent: BulletinComponent {}  // how it is created, and of what

extension StandardBulletinComponent where Self: RewardsComponent {
  static func createBulletin() -> Bulletin { Bulletin(rewards: rewards) }
}

enum Program: MemoryRepositoryComponent, StandardCustomersComponent, StandardRewardsComponent,
  StandardBulletinComponent
{
  static let repository = createRepository()
  static let customers = createCustomers()
  static let rewards = createRewards()
  static let bulletin = createBulletin()
}
// snippet.end

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

// snippet.minimal-type
protocol UsesRewardsService {  // what a type needs
  var rewardsService: any RewardsService { get }
}

protocol TeamService: UsesRewardsService {}  // what it does, on what it uses

extension TeamService {
  func found(_ leaders: [Customer.ID]) async throws -> [CustomerGroup] {
    var teams: [CustomerGroup] = []
    for leader in leaders { teams.append(try await rewardsService.buildTeam(leader: leader)) }
    return teams
  }
}

final class MixInTeamService: TeamService {  // the implementation, with all below it
  let rewardsService: any RewardsService = MixInRewardsService()
}
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
