import Checkout

extension CheckoutDesk {
  /// Works at the desk of a shop with the basket of that store, or an empty one.
  ///
  /// The basket is worked on in memory and saved at the end, so that the stored one stays as it was
  /// if anything fails on the way: who tries again does not buy twice as much.
  static func working<R>(
    for shop: Shop, with store: FileBasketStore?, _ work: (CheckoutDesk) async throws -> R
  ) async throws -> R {
    let before = try store?.load()
    let basket = MemoryBasketStore(before)
    let result = try await work(CheckoutDesk(shop: shop, store: basket))
    if let after = basket.load(), after != before { try store?.save(after) }
    return result
  }
}
