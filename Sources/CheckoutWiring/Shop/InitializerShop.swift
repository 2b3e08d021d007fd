// SPDX-License-Identifier: Apache-2.0

internal import Checkout

/// A shop that is wired by initializer injection: its initializer gets the parts as an argument,
/// and passes them to the initializers of the services.
struct InitializerShop: WiredShop {
  let client: BasketClient
  let customers: any CustomerService
  let rewards: any RewardsService

  init(_ parts: ShopParts) {
    client = BasketClient(store: parts.store, service: parts.service, prices: parts.prices)
    let root = CompositionRoot(repository: parts.repository, passwords: parts.passwords)
    customers = root.customers
    rewards = root.rewards
  }
}
