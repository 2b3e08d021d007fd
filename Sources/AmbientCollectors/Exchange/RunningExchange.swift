// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Synchronization

/// A request under way, and its outcome. An exchange ends only once; safe to use from any thread.
package final class RunningExchange: Sendable {
  package typealias Outcome = Result<HTTPAnswer, TransportError>

  private struct State {
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  package let request: OutgoingRequest
  package let limits: ExchangeLimits
  /// The instant at which the exchange reaches its time limit. All hops of a redirect share one
  /// limit, so less than `limits.duration` may remain.
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

  /// The outcome. Only one task may await it, because only one waiting task is stored.
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

  /// Whether the exchange has reached its time limit.
  package var isLate: Bool { end <= .now }

  package var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  /// Ends the exchange, unless it has ended.
  package func end(_ outcome: Outcome) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: outcome)
  }

  /// Records that the server may receive bytes of the request from now on.
  package func noteSending() { sending.store(true, ordering: .relaxed) }

  /// Whether the server may have received bytes of the request.
  var isSending: Bool { sending.load(ordering: .relaxed) }

  /// Ends the exchange with a failure for the reason `reason`. The failure's outcome is `unsent` if
  /// no byte can have reached the server, otherwise `unknown`.
  package func giveUp(_ reason: String) {
    end(.failure(TransportError(isSending ? .unknown : .unsent, reason)))
  }

  /// The reason that a failure states if the exchange has reached its time limit.
  package var lateness: String { Self.lateness(after: limits.duration) }

  /// The reason of a failure for an exchange that has reached this time limit.
  package static func lateness(after limit: Duration) -> String {
    // Without the digits after the milliseconds, which the time left to a shutdown has.
    let (seconds, attoseconds) = limit.components
    let rest = attoseconds % 1_000_000_000_000_000
    let shown = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds - rest)
    return "no complete answer within \(shown)"
  }
}

extension RunningExchange.Outcome {
  /// Returns the outcome of an exchange whose answer is incomplete.
  ///
  /// The outcome is the incomplete answer, even without its body, if the status is 400 or more, or
  /// if it is 2xx and the exchange is not undecided: the server has decided, even if the body or
  /// the trailers are malformed. Otherwise, it is `error`.
  ///
  /// - Parameters:
  ///   - answer: The answer so far, with its whole header; nil if the header is incomplete.
  ///   - isUndecided: Whether the exchange has reached its time limit, or has ended before the
  ///     request was passed to the network as a whole.
  package static func broken(
    _ error: TransportError, _ answer: HTTPAnswer?, isUndecided: Bool = false
  ) -> Self {
    guard var answer, answer.status >= 400 || answer.status / 100 == 2 && !isUndecided else {
      return .failure(error)
    }
    (answer.isCut, answer.isBrokenOff) = (true, true)
    return .success(answer)
  }
}
