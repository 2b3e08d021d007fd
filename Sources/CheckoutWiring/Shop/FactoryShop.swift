// SPDX-License-Identifier: Apache-2.0

internal import Checkout

/// A factory that makes the services of a shop, including those of its basket.
protocol BasketShopFactory: ShopFactory {
  func makeStore() -> any BasketStore
  func makeBasketService() -> any BasketService
  func makePrices() -> PriceList
  func makeClient() -> BasketClient
}

extension BasketShopFactory {
  func makeClient() -> BasketClient {
    BasketClient(store: makeStore(), service: makeBasketService(), prices: makePrices())
  }
}

/// A shop with services made by a factory.
struct FactoryShop: WiredShop {
  let client: BasketClient
  let customers: any CustomerService
  let rewards: any RewardsService

  init(_ factory: any BasketShopFactory) {
    client = factory.makeClient()
    customers = factory.makeCustomers()
    rewards = factory.makeRewards()
  }
}

/// A factory that returns five services from `parts`. The default implementations of `ShopFactory`
/// make the other services.
struct PartsFactory: BasketShopFactory {
  let parts: ShopParts

  func makeStore() -> any BasketStore { parts.store }
  func makeBasketService() -> any BasketService { parts.service }
  func makePrices() -> PriceList { parts.prices }
  func makeRepository() -> any CustomerRepository { parts.repository }
  func makePasswords() -> any PasswordVerifier { parts.passwords }
}
