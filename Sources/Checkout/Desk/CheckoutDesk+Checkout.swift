internal import Ambient

extension CheckoutDesk {
  /// Runs a whole checkout: shows the products, fills the basket, begins, pays, places the order.
  ///
  /// Sent again with its key, it returns the order that it placed. Goods that were reserved for a
  /// payment that is declined are given up.
  ///
  /// - Throws: ``CheckoutError``; what is wrong with a line or the coupon leaves the stored basket as
  ///   it was, and what comes later leaves it filled.
  public func checkout(_ request: CheckoutRequest) async throws(CheckoutError) -> Order {
    try await logged("order not placed") { () throws(CheckoutError) in
      try await orders.place(request.key, request.content) { () async throws(CheckoutError) in
        try await self.basket.synchronize()
        for line in request.lines { _ = try self.view(line.sku) }
        try await self.basket.add(request.lines, coupon: request.coupon)
        let checkout = try await self.begin(born: request.born)
        defer { self.stock.release(checkout.reservation) }
        return try await self.place(checkout, request.payment, request.key)
      }
    }
  }
}
