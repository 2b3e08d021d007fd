internal import Ambient

extension CheckoutDesk {
  /// Runs a whole checkout: shows the products, fills the basket, begins, pays, places the order.
  ///
  /// Sent again with its key, it returns the order that it placed. If anything fails, what it put
  /// in the basket is taken out again and the goods are given up, so that whoever tries again does
  /// not buy twice as much. Of several checkouts at one desk, one runs after the other: each buys
  /// what it adds.
  ///
  /// - Throws: ``CheckoutError``; the stored basket then holds what it held before.
  public func checkout(_ request: CheckoutRequest) async throws(CheckoutError) -> Order {
    try await logged("order not placed") { () throws(CheckoutError) in
      try await orders.place(request.key, request.content) { () async throws(CheckoutError) in
        await self.turns.enter()
        defer { self.turns.leave() }
        let before = try await self.basket.synchronize()
        for line in request.lines { _ = try self.view(line.sku) }
        let filled = try await self.basket.add(request.lines, coupon: request.coupon)
        do throws(CheckoutError) {
          return try await self.buy(request)
        } catch {
          await self.updateBasket { () async throws(CheckoutError) in
            try await self.basket.takeBack(
              request.lines, replacing: filled.coupon, with: before.coupon)
          }
          throw error
        }
      }
    }
  }

  private func buy(_ request: CheckoutRequest) async throws(CheckoutError) -> Order {
    let checkout = try await begin(born: request.born)
    defer { stock.release(checkout.reservation) }
    try checkout.quote.check(seen: request.total)
    return try await place(checkout, request.payment, request.key)
  }
}
