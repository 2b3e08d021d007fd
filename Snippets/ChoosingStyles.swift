// SPDX-License-Identifier: Apache-2.0

// The examples in the comments at the top of Sources/CheckoutWiring/Styles/*.swift.

import Ambient
import AmbientTesting
import Checkout
import CheckoutWiring

Log.instance = NoLog()

// snippet.initializer
let root = CompositionRoot(repository: MemoryCustomerRepository())
let ada = try await root.customers.register(name: "Ada", password: "open sesame")
let team = try await root.rewards.buildTeam(leader: ada.id)
// snippet.end

// snippet.property
var screen = MemberScreen()  // made by a framework
screen.inject(customers: root.customers, rewards: root.rewards)
try screen.appear()
let adasTeam = try await screen.foundTeam(name: "Ada", password: "open sesame")
// snippet.end

let coffee = try Shop.example().catalogue.product("coffee")
let branch = MemoryCustomerRepository()
_ = try await StandardCustomerService(repository: branch)
  .register(name: "Ada", password: "open sesame")
let store = MemoryBasketStore()

// snippet.method
let desk = BranchDesk()
try desk.add(coffee, to: store)
let leader = try await desk.authenticate(name: "Ada", password: "open sesame", in: branch)
let branchTeam = try await desk.buildTeam(leader: leader.id, in: branch)
// snippet.end

// snippet.factory
let factory: any ShopFactory = MemoryShopFactory()
let member = try await factory.makeCustomers().register(name: "Ada", password: "open sesame")
let memberTeam = try await factory.makeRewards().buildTeam(leader: member.id)
// snippet.end

// snippet.cake
let eve = try await AppContext.customers.register(name: "Eve", password: "open sesame")
let eveTeam = try await AppContext.rewards.buildTeam(leader: eve.id)
// snippet.end

// snippet.minimal
let service = MixInRewardsService()
let max = try await service.customerService.register(name: "Max", password: "open sesame")
let maxTeam = try await service.buildTeam(leader: max.id)
// snippet.end

let mia = try Customer(name: "Mia")

// snippet.mixin
let sign = WelcomeSign()  // no initializer passes the phrases
let shown = sign.text(for: mia)
// snippet.end

// snippet.container
let container = Container.standard(MemoryCustomerRepository())
let customers: any CustomerService = try container.resolve()
let rewards = try container.resolve((any RewardsService).self)
// snippet.end
