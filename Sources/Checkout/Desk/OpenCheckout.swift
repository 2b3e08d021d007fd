// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// A checkout that was begun: its goods are reserved and its price is locked for some time.
public struct OpenCheckout: Hashable, Sendable {
  /// The time that the buyer has for the checkout.
  public let session: CheckoutSession
  /// The locked price.
  public let quote: PriceQuote
  /// The reserved goods.
  public let reservation: Reservation
  /// The key that identifies the order. The order is placed only once, however often the buyer
  /// tries to pay.
  public let key: IdempotencyKey
  /// The identity of the basket that is bought.
  let basket: UUID

  /// Checks that the session is open, the price is locked and the goods are reserved.
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
  /// Waits until the session, the price lock or the reservation has lapsed; returns the error with
  /// which a payment would then fail.
  ///
  /// A page that informs the buyer calls this method in a task that is cancelled when the order is
  /// placed. If the wall clock is set during the wait, the wait does not become shorter or longer;
  /// when it ends, the checkout is checked again, and the wait continues if nothing has lapsed.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; `FrozenTimeError` if the current time
  ///   is frozen.
  public func lapse() async throws -> CheckoutError {
    while true {
      do throws(CheckoutError) { try check() } catch { return error }
      try await Time.sleep(for: max(remaining, .microseconds(1)))
    }
  }

  /// The time until the session, the price lock or the reservation lapses, whichever is first.
  private var remaining: Duration {
    let kept = reservation.lifetime
    return min(
      .zero - Lifetime.elapsed(since: session.expiresAt),
      .zero - Lifetime.elapsed(since: quote.end),
      kept.length.minus(Time.uptime.minus(kept.start)))
  }
}
