// The service locator: a container, its scopes, and resolvers in its chain.

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring

// snippet.container
let container = Container.standard(MemoryCustomerRepository())
let customers: any CustomerService = try container.resolve()
let rewards = try container.resolve((any RewardsService).self)
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

// snippet.chain
let plugIns = PlugIns([MemoryCustomerRepository()])  // loaded while the program runs
let plugged = Container()
  .register((any CustomerService).self, .once) {
    StandardCustomerService(repository: try $0.resolve())  // comes from the plug-in
  }
  .register(RewardsFactory(), .once)
  .register(resolver: plugIns)
// snippet.end

// snippet.replace
try shared.replace((any CustomerRepository).self, with: MemoryCustomerRepository())
// snippet.end
