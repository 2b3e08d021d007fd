internal import Checkout

/// A shop that is given its parts when it is made.
struct InitializerShop: WiredShop {
  let client: BasketClient
  let customers: any CustomerService
  let rewards: any RewardsService

  init(_ parts: ShopParts) {
    let root = parts.makeRoot()
    client = parts.makeClient()
    customers = root.customers
    rewards = root.rewards
  }
}
