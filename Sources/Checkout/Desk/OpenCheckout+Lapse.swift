internal import Ambient

extension OpenCheckout {
  /// Waits until the session, the price or the goods have lapsed, and says which: the error with
  /// which paying would be refused.
  ///
  /// For a page that tells the buyer, in a task that is cancelled when the order is placed. A wall
  /// clock that is set while it waits is noticed when it wakes.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; what else ``Time`` throws to those who
  ///   wait, where it stands still.
  public func lapse() async throws -> CheckoutError {
    while true {
      do throws(CheckoutError) { try check() } catch { return error }
      try await Time.sleep(for: max(remaining, .microseconds(1)))
    }
  }

  /// How long until the first of the three lapses.
  private var remaining: Duration {
    let hold = reservation.hold
    return min(
      .zero - Lifetime.elapsed(since: session.expiresAt),
      .zero - Lifetime.elapsed(since: quote.end),
      hold.length - (Time.uptime - hold.start))
  }
}
