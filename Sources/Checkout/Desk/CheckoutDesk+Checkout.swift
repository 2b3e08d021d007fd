internal import Ambient

extension CheckoutDesk {
  /// Runs a whole checkout: shows the products, fills the basket, begins, pays, places the order.
  ///
  /// Repeated with its key, it returns the order that it placed. If anything fails, its lines are
  /// removed from the basket again and the goods are released, so that a second try does not buy
  /// twice as much. Checkouts at one desk run one after another: each buys the lines that it adds.
  ///
  /// - Parameter request: All of the buyer's input; an equal key marks a repetition of the same
  ///   request.
  /// - Returns: The order that was placed, and is in the books.
  /// - Throws: ``CheckoutError``; the stored basket then has its earlier contents.
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
          return try await self.buy(request)
        } catch {
          // The bought lines leave the basket once the outcome of the payment is known.
          if case .paymentPending = error { throw error }
          await self.updateBasket { () async throws(CheckoutError) in
            try await self.basket.takeBack(
              request.lines, replacing: filled.coupon, with: before.coupon, in: filled.id)
          }
          throw error
        }
      }
    }
  }

  private func buy(_ request: CheckoutRequest) async throws(CheckoutError) -> Order {
    let checkout = try await begin(born: request.born, key: request.key)
    defer { books.release(checkout.reservation) }
    try checkout.quote.check(seen: request.total)
    return try await buy(checkout, request.payment, request.key, request)
  }
}
