/// The treatment of a request if it is unknown whether the server received it, for example because
/// the connection broke. The choice matters for destinations that would count the request's events
/// twice.
public enum UnknownOutcome: Hashable, Sendable {
  /// The request is sent again. No event is lost, but some events may count twice.
  case retried
  /// The request is not sent again, and its events count as lost, so no event counts twice.
  ///
  /// Exception: the request is sent again if the destination counts its events once, however often
  /// they arrive. An example of such an event is a sale that has the identity of its order.
  case dropped

  /// The verdict on a request that got no answer.
  ///
  /// - Parameter isCountedOnce: Whether the destination counts these events once, however often
  ///   they arrive.
  func verdict(on error: TransportError, isCountedOnce: Bool) -> DeliveryVerdict {
    guard error.outcome == .unknown, self == .dropped, !isCountedOnce else {
      return .retry(error.reason, detail: error.detail)
    }
    return .inDoubt(detail: error.description)
  }
}
