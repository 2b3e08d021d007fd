// SPDX-License-Identifier: Apache-2.0

public import Checkout

/// The basic parts that every style wires into a shop; they need no other parts.
public struct ShopParts: Sendable {
  /// The prices of the shop.
  public let prices: PriceList
  /// The store of the basket on this machine.
  public let store: any BasketStore
  /// The service that gets each change of the basket.
  public let service: any BasketService
  /// The repository of the customers.
  public let repository: any CustomerRepository
  /// The verifier of the customers' passwords.
  public let passwords: any PasswordVerifier

  /// Creates parts. By default, the store, the service and the repository keep data in memory.
  ///
  /// - Parameters:
  ///   - prices: The prices of the shop, which decide what products and coupons are valid.
  ///   - store: The store of the buyer's basket on this machine.
  ///   - service: The service that gets each change of the basket.
  ///   - repository: The repository of the customers.
  ///   - passwords: The verifier of the customers' passwords.
  public init(
    prices: PriceList, store: any BasketStore = MemoryBasketStore(),
    service: any BasketService = MemoryBasketService(),
    repository: any CustomerRepository = MemoryCustomerRepository(),
    passwords: any PasswordVerifier = SystemPasswordVerifier()
  ) {
    self.prices = prices
    self.store = store
    self.service = service
    self.repository = repository
    self.passwords = passwords
  }
}
