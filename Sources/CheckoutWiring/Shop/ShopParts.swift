public import Checkout

/// The basic parts that every style wires into a shop: they have no parts of their own.
public struct ShopParts: Sendable {
  /// The prices of the shop.
  public let prices: PriceList
  /// Where the basket is kept on this machine.
  public let store: any BasketStore
  /// Where the basket is kept elsewhere.
  public let service: any BasketService
  /// Where the customers are.
  public let repository: any CustomerRepository
  /// The verifier of the customers' passwords.
  public let passwords: any PasswordVerifier

  /// Parts; those that are not given keep their data in memory.
  ///
  /// - Parameters:
  ///   - prices: The prices of the shop, by which products are checked.
  ///   - store: Where the buyer's basket is kept on this machine.
  ///   - service: Where it is kept for other devices.
  ///   - repository: Where the customers are.
  ///   - passwords: The verifier of their passwords.
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
