// Ways of connecting services, and three that go wrong with their cures.

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring
import Foundation
import Testing

// snippet.freak
struct FreakTill {
  // Nobody can give it other customers: it makes its own, at each call.
  func credit(_ points: Int, to id: Customer.ID) async throws -> Customer {
    let customers = StandardCustomerService(
      repository: MemoryCustomerRepository(), passwords: SystemPasswordVerifier())
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
let container = Locator.container(for: ShopParts(prices: try Shop.example().prices))
  .register(OpenTill.self) { OpenTill(customers: try $0.resolve()) }
let missing = container.check()
// snippet.end

// snippet.root
let parts = ShopParts(prices: try Shop.example().prices)
let customers = StandardCustomerService(repository: parts.repository, passwords: parts.passwords)
let rewards = StandardRewardsService(customers: customers)
// snippet.end

// snippet.scopes
let shared = Container()
  .register((any CustomerRepository).self, MemoryCustomerRepository())  // given
  .register((any PasswordVerifier).self) { _ in SystemPasswordVerifier() }  // each time
  .register((any CustomerService).self, .once) {  // once
    StandardCustomerService(repository: try $0.resolve(), passwords: try $0.resolve())
  }
  .register((any RewardsService).self, .oncePerResolution) {
    StandardRewardsService(customers: try $0.resolve())
  }
  .register(  // while somebody holds it
    (any BasketStore).self, weak: { _ in MemoryBasketStore() }, as: { $0 }
  )
  .register(CustomerGroup.self) { (_, leader: Customer) in CustomerGroup(leader: leader.id) }
let ada = try Customer(name: "Ada")
let group = try shared.resolve(CustomerGroup.self, with: ada)
// snippet.end

// snippet.replace
try shared.replace((any CustomerRepository).self, with: MemoryCustomerRepository())
// snippet.end

// snippet.parts
let registered = try await customers.register(name: "Ada", password: "open sesame")
let same = try await customers.authenticate(name: "Ada", password: "open sesame")
let award = try await rewards.award(600, to: same.id, in: CustomerGroup(leader: same.id))
print(award.member.tier)  // silver
// snippet.end
