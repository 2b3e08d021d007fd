// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation

/// A transport that answers as a script says, and keeps what it was given.
final class ScriptedTransport: HTTPTransport {
  enum Step: Sendable {
    case answer(Int, headers: [String: String] = [:], body: String = "")
    case failure(TransportError.Outcome, String)
    /// Gives no answer within the limit.
    case hang
    /// Fails as soon as something has happened.
    case failureOnce(@Sendable () -> Bool)
  }

  struct Exchange: Sendable {
    let date: Date
    let lines: [String]
    let request: OutgoingRequest
    let limits: ExchangeLimits
  }

  private let kept = Guarded<[Exchange]>([])
  private let script: @Sendable (Int, [String]) -> Step

  /// A transport that answers the request of that number, from 0, with those lines.
  init(_ script: @escaping @Sendable (Int, [String]) -> Step) { self.script = script }

  convenience init(_ steps: [Step]) {
    self.init { number, _ in number < steps.count ? steps[number] : .answer(200) }
  }

  var exchanges: [Exchange] { kept.withLock { $0 } }
  /// When each request came, in seconds since the first.
  var seconds: [Double] {
    let dates = exchanges.map(\.date)
    return dates.map { $0.timeIntervalSince(dates[0]) }
  }

  func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    let lines = String(decoding: request.body, as: UTF8.self).split(separator: "\n")
      .map(String.init)
    let exchange = Exchange(date: Time.now, lines: lines, request: request, limits: limits)
    let number = kept.withLock { kept in
      kept.append(exchange)
      return kept.count - 1
    }
    switch script(number, lines) {
    case .answer(let status, let headers, let body):
      return HTTPAnswer(status, headers: headers, body: Array(body.utf8))
    case .failure(let outcome, let reason): throw TransportError(outcome, reason)
    case .failureOnce(let hasHappened):
      while !hasHappened(), !Task.isCancelled { try? await Time.sleep(for: .milliseconds(5)) }
      throw TransportError(.unknown, "given up")
    case .hang:
      let isLate: Void? = try? await Time.sleep(for: limits.duration)
      throw TransportError(
        .unknown, isLate == nil ? "given up" : RunningExchange.lateness(after: limits.duration))
    }
  }
}
