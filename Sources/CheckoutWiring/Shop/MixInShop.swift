internal import Checkout

/// Needs a basket.
protocol UsesBasketClient {
  var basketClient: BasketClient { get }
}

/// Needs a rewards service.
protocol UsesRewardsService {
  var rewardsService: any RewardsService { get }
}

/// A shop on what it uses.
protocol MinimalShop: WiredShop, UsesBasketClient, UsesCustomerService, UsesRewardsService {}

extension MinimalShop {
  var client: BasketClient { basketClient }
  var customers: any CustomerService { customerService }
  var rewards: any RewardsService { rewardsService }
}

/// The shop of the program: no initializer passes it anything.
final class MixInShop: MinimalShop {
  let basketClient = ShopParts.ofProgram.makeClient()
  let customerService: any CustomerService = MixInShopCustomers()
  let rewardsService: any RewardsService = MixInShopRewards()
}

/// Its customers; those of ``MixInShopRewards`` are the same, as both use the program's repository.
final class MixInShopCustomers: MinimalCustomerService {
  let customerRepository: any CustomerRepository = ShopParts.ofProgram.repository
  let passwordVerifier: any PasswordVerifier = ShopParts.ofProgram.passwords
}

/// Its rewards.
final class MixInShopRewards: MinimalRewardsService {
  let customerService: any CustomerService = MixInShopCustomers()
}
