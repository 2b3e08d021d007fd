internal import Ambient
internal import Synchronization

/// Sends requests over the network: libcurl, or the system's URLSession.
///
/// A carrier ends each exchange that it starts. ``HTTPClient`` ends exchanges, too, at their limit
/// or when the task is cancelled, and then cancels them here.
package protocol Carrier: Sendable {
  /// Begins the exchange.
  func start(_ exchange: RunningExchange)

  /// Frees what an ended exchange still uses.
  func cancel(_ exchange: RunningExchange)
}

/// One request that is under way, and its outcome. Ends once; safe from any thread.
package final class RunningExchange: Sendable {
  package typealias Outcome = Result<Answer, TransportError>

  private struct State {
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  package let request: OutgoingRequest
  package let limits: ExchangeLimits
  /// The end of its limit; earlier hops of a redirect have used a part of `limits.duration`.
  package let end: ContinuousClock.Instant
  private let state = Guarded(State())
  private let sending = Atomic<Bool>(false)

  package init(
    _ request: OutgoingRequest, _ limits: ExchangeLimits, until end: ContinuousClock.Instant
  ) {
    self.request = request
    self.limits = limits
    self.end = end
  }

  /// How it ended, when it has. Awaited by one task.
  var outcome: Outcome {
    get async {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Outcome? in
          if state.outcome == nil { state.waiter = continuation }
          return state.outcome
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }

  package var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  /// Ends it, unless it has ended.
  package func end(_ outcome: Outcome) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: outcome)
  }

  /// Notes that the server may have received bytes of the request from now on.
  package func noteSending() { sending.store(true, ordering: .relaxed) }

  /// Whether the server may have received bytes of the request.
  var isSending: Bool { sending.load(ordering: .relaxed) }

  /// Ends it for that reason; as unsent if no byte can have reached the server.
  package func giveUp(_ reason: String) {
    end(.failure(TransportError(isSending ? .unknown : .unsent, reason)))
  }

  /// The reason of an exchange that reaches its limit.
  package var lateness: String { "no whole answer within \(limits.duration)" }
}

extension RunningExchange.Outcome {
  /// The outcome of an answer that broke off: a status of 400 or more stands without its body;
  /// any other is no answer, since its body may say that something failed.
  ///
  /// - Parameter answer: The answer so far, with its whole header; nil for less.
  package static func broken(_ error: TransportError, _ answer: Answer?) -> Self {
    guard var answer, answer.status >= 400 else { return .failure(error) }
    answer.isCut = true
    return .success(answer)
  }
}
