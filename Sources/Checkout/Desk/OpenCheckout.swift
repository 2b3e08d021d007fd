/// A checkout that was begun: goods that are kept, at a price that is locked, for a while.
public struct OpenCheckout: Hashable, Sendable {
  /// The time that the buyer has.
  public let session: CheckoutSession
  /// The price.
  public let quote: PriceQuote
  /// The goods.
  public let reservation: Reservation

  /// Checks that the session is open, the price locked and the goods kept.
  ///
  /// - Throws: ``CheckoutError``: a lapsed session, quote or reservation.
  public func check() throws(CheckoutError) {
    try session.check()
    try quote.check()
    guard reservation.isHeld else {
      throw .lapsedReservation(after: reservation.hold.length)
    }
  }

  var content: OrderBook.Content {
    OrderBook.Content(lines: reservation.lines, coupon: quote.priced.coupon)
  }
}
