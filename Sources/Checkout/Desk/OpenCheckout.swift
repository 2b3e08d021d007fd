internal import Ambient
internal import Foundation

/// A checkout that was begun: goods that are kept, at a price that is locked, for a while.
public struct OpenCheckout: Hashable, Sendable {
  /// The time that the buyer has.
  public let session: CheckoutSession
  /// The price.
  public let quote: PriceQuote
  /// The goods.
  public let reservation: Reservation
  /// The key under which the order is placed, however often it is paid for.
  public let key: IdempotencyKey
  /// The basket that is bought.
  let basket: UUID

  /// Checks that the session is open, the price locked and the goods kept.
  ///
  /// - Throws: ``CheckoutError``: a lapsed session, quote or reservation.
  public func check() throws(CheckoutError) {
    try session.check()
    try quote.check()
    guard reservation.isHeld else {
      throw .lapsedReservation(after: reservation.lifetime.length)
    }
  }

  var content: Purchase.Content {
    Purchase.Content(lines: reservation.lines, coupon: quote.priced.coupon)
  }
}

extension OpenCheckout {
  /// Waits until the session, the price or the goods have lapsed, and says which: the error with
  /// which paying would be refused.
  ///
  /// For a page that tells the buyer, in a task that is cancelled when the order is placed. A wall
  /// clock that is set while it waits is noticed when it wakes.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; what else `Time` throws to those who
  ///   wait, where it stands still.
  public func lapse() async throws -> CheckoutError {
    while true {
      do throws(CheckoutError) { try check() } catch { return error }
      try await Time.sleep(for: max(remaining, .microseconds(1)))
    }
  }

  /// The time until the first of the three lapses.
  private var remaining: Duration {
    let kept = reservation.lifetime
    return min(
      .zero - Lifetime.elapsed(since: session.expiresAt),
      .zero - Lifetime.elapsed(since: quote.end),
      kept.length.minus(Time.uptime.minus(kept.start)))
  }
}
