/// What becomes of a request when nobody knows whether the server had it, as when the line went
/// dead, for a destination that would count its events twice.
public enum UnknownOutcome: Hashable, Sendable {
  /// It is sent again: no event is lost, and some may count twice.
  case retried
  /// It is not sent again, and counted as lost: no event counts twice, and some may be lost.
  ///
  /// What the destination counts once, however often it comes, is sent again nonetheless: a sale
  /// with the identity of its order.
  case dropped

  /// What it means that there is no answer.
  ///
  /// - Parameter isCountedOnce: Whether the events count once, however often they come.
  func verdict(on error: TransportError, isCountedOnce: Bool) -> Verdict {
    guard error.outcome == .unknown, self == .dropped, !isCountedOnce else {
      return .retry(error.reason, detail: error.detail)
    }
    return .inDoubt(detail: error.description)
  }
}
