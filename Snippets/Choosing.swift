// Passing what is needed: by initializers, properties, methods and factories; and three ways that
// go wrong, with their cures.

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Foundation
import Testing

// snippet.uninverted
struct NewsletterOfOneShop {
  // It calls for what it needs: this repository, in this program, and no other.
  func isMember(_ name: String) -> Bool { Members.shared.record(named: name) != nil }
}
// snippet.end

enum Members {
  static let shared = MemoryCustomerRepository()
}

// snippet.inverted
struct Newsletter {
  let customers: any CustomerRepository  // a protocol: it says what it needs, and is given it

  func isMember(_ name: String) async throws -> Bool {
    try await customers.record(named: name) != nil
  }
}

let newsletter = Newsletter(customers: Members.shared)  // where the concrete types are known
// snippet.end

// snippet.initializer
let root = CompositionRoot(repository: MemoryCustomerRepository())
let ada = try await root.customers.register(name: "Ada", password: "open sesame")
let team = try await root.rewards.buildTeam(leader: ada.id)
// snippet.end

// snippet.initializer-type
struct TeamDesk {
  private let customers: any CustomerService
  private let rewards: any RewardsService

  init(customers: any CustomerService, rewards: any RewardsService) {
    self.customers = customers
    self.rewards = rewards
  }

  func foundTeam(name: String, password: String) async throws -> CustomerGroup {
    let leader = try await customers.authenticate(name: name, password: password)
    return try await rewards.buildTeam(leader: leader.id)
  }
}
// snippet.end

// snippet.initializer-root
struct Root {
  let teamDesk: TeamDesk

  init(repository: any CustomerRepository) {
    let customers = StandardCustomerService(repository: repository)
    let rewards = StandardRewardsService(customers: customers)
    teamDesk = TeamDesk(customers: customers, rewards: rewards)
  }
}
// snippet.end

// snippet.property
var screen = MemberScreen()  // made by a framework
screen.inject(customers: root.customers, rewards: root.rewards)
try screen.appear()
let adasTeam = try await screen.foundTeam(name: "Ada", password: "open sesame")
// snippet.end

struct NothingInjected: Error {}

// snippet.property-type
struct Screen {
  var rewards: (any RewardsService)!  // foreign: no default, and checked before it is used
  var greeting = "Welcome!"  // local: a default that needs nothing else

  mutating func inject(rewards: any RewardsService) { self.rewards = rewards }

  func appear() throws {  // the framework calls it first
    guard rewards != nil else { throw NothingInjected() }
  }
}
// snippet.end

let coffee = try Shop.example().catalogue.product("coffee")
let branch = MemoryCustomerRepository()
_ = try await StandardCustomerService(repository: branch)
  .register(name: "Ada", password: "open sesame")
let store = MemoryBasketStore()

// snippet.method-type
struct Shelf {
  func add(_ product: Product, to store: any BasketStore) throws {
    var basket = try store.load() ?? Basket()
    try basket.add(BasketLine(product.sku))
    try store.save(basket)
  }
}
// snippet.end

// snippet.method
let desk = BranchDesk()
try desk.add(coffee, to: store)
let leader = try await desk.authenticate(name: "Ada", password: "open sesame", in: branch)
let branchTeam = try await desk.buildTeam(leader: leader.id, in: branch)
// snippet.end

// snippet.factory-type
protocol DeskFactory {
  func makeCustomers() -> any CustomerService
  func makeRewards() -> any RewardsService
  func makeDesk() -> TeamDesk
}

extension DeskFactory {  // the usual one; a factory may have its own
  func makeDesk() -> TeamDesk { TeamDesk(customers: makeCustomers(), rewards: makeRewards()) }
}
// snippet.end

// snippet.factory
let factory: any ShopFactory = MemoryShopFactory()
let member = try await factory.makeCustomers().register(name: "Ada", password: "open sesame")
let memberTeam = try await factory.makeRewards().buildTeam(leader: member.id)
// snippet.end

// snippet.factory-double
struct BranchFactory: ShopFactory {
  let branch: any CustomerRepository

  func makeRepository() -> any CustomerRepository { branch }  // the rest by default
}

let branchRewards = BranchFactory(branch: branch).makeRewards()
// snippet.end

// snippet.freak
struct FreakTill {
  // Nobody can give it other customers: it makes its own, at each call.
  func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
    let customers = StandardCustomerService(repository: MemoryCustomerRepository())
    return try await customers.credit(points, to: id)
  }
}
// snippet.end

// snippet.freak-cure
struct Till {
  let customers: any CustomerService

  func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
    try await customers.credit(points, to: id)
  }
}
// snippet.end

// snippet.bastard
struct BastardSync {
  let service: any BasketService

  // Whoever forgets the argument, a test too, talks to the real server.
  init(service: any BasketService = HTTPBasketService(url: URL(filePath: "/baskets"))) {
    self.service = service
  }
}
// snippet.end

// snippet.bastard-cure
struct Sync {
  let service: any BasketService

  // Foreign: named where the program is put together.
  init(service: any BasketService) { self.service = service }

  // Local: in memory, in the same module. A default of this kind may stay.
  init() { self.init(service: MemoryBasketService()) }
}
// snippet.end

// snippet.locator
struct LocatorTill {
  let container: Container  // says nothing of what the till needs

  func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
    let customers: any CustomerService = try container.resolve()
    return try await customers.credit(points, to: id)
  }
}
// snippet.end

// snippet.locator-cure
struct OpenTill {
  let customers: any CustomerService

  func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
    try await customers.credit(points, to: id)
  }
}

// The container stays in one place, and a test asks it for everything once.
let tills = Container.standard(MemoryCustomerRepository())
  .register(OpenTill.self) { OpenTill(customers: try $0.resolve()) }
let missing = tills.check()
// snippet.end
