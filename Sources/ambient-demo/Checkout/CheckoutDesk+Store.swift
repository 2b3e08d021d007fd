import Checkout

extension CheckoutDesk {
  /// Works at the desk of a shop with the basket of that store, or an empty one; its services are
  /// connected in that style.
  ///
  /// The basket is worked on in memory and saved at the end, so that the stored one stays as it was
  /// if anything fails on the way: who tries again does not buy twice as much.
  static func working<R>(
    for shop: Shop, with store: FileBasketStore?, wiring: WiringStyle = .initializer,
    _ work: (CheckoutDesk) async throws -> R
  ) async throws -> R {
    let before = try store?.load()
    let basket = MemoryBasketStore(before)
    let wired = try wiring.shop(from: ShopParts(prices: shop.prices, store: basket))
    let desk = CheckoutDesk(
      shop: shop, basket: try wired.client, stock: StockRoom(shop.stock))
    let result = try await work(desk)
    if let after = basket.load(), after != before { try store?.save(after) }
    return result
  }
}
