internal import Ambient
internal import Foundation

/// A checkout that was begun: its goods are reserved and its price is locked for some time.
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
  /// Waits until the session, the price or the goods have lapsed; returns the error with which
  /// paying would then be refused.
  ///
  /// For a page that informs the buyer; use it in a task that is cancelled when the order is
  /// placed. If the wall clock is set during the wait, that is noticed at the end of the wait.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; `FrozenTimeError` where time stands
  ///   still.
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
