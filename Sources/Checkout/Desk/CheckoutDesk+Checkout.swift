internal import Ambient

extension CheckoutDesk {
  /// Runs a whole checkout: views the products, fills the basket, begins the checkout, pays, and
  /// places the order.
  ///
  /// A repeated call with the same `key` returns the order of the first call. If a step fails, the
  /// request's lines are removed from the basket, so that a second try does not buy twice as much.
  /// The goods are released unless their payment is pending. Checkouts at one desk run one after
  /// another, because each buys the whole basket.
  ///
  /// - Parameter request: All of the buyer's input. Calls with equal keys repeat one request.
  /// - Returns: The order, which is recorded in the books.
  /// - Throws: ``CheckoutError``; the stored basket then has its earlier contents, except that the
  ///   goods of a pending payment are out of it.
  public func checkout(_ request: CheckoutRequest) async throws(CheckoutError) -> Order {
    try await logged("order not placed") { () throws(CheckoutError) in
      try await books.inTurn(request.key) { () async throws(CheckoutError) -> Order in
        if let order = try await self.order(of: request.key, request.content, request.payment) {
          return order
        }
        await self.turns.enter()
        defer { self.turns.leave() }
        let before = try await self.basket.synchronize()
        for line in request.lines { _ = try self.view(line.sku) }
        let filled = try await self.basket.add(request.lines, coupon: request.coupon)
        do throws(CheckoutError) {
          return try await self.buy(request, earlierCoupon: before.coupon)
        } catch {
          // The basket stays as it is while a purchase is pending. Once the outcome is known, the
          // desk's own `takeOut(_:)` or `takeBack(_:)` changes it.
          if self.books.isPending(request.key) { throw error }
          await self.updateBasket { () async throws(CheckoutError) in
            try await self.basket.takeBack(
              request.lines, replacing: filled.coupon, with: before.coupon, in: filled.id)
          }
          throw error
        }
      }
    }
  }

  private func buy(
    _ request: CheckoutRequest, earlierCoupon: String?
  ) async throws(CheckoutError) -> Order {
    let checkout = try await begin(born: request.born, key: request.key)
    defer { books.release(checkout.reservation) }
    try checkout.quote.check(seen: request.total)
    return try await buy(
      checkout, request.payment, request.key, request, earlierCoupon: earlierCoupon)
  }
}
