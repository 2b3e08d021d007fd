// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Running exchanges` {
  private func makeExchange(
    _ left: Duration = .seconds(600), limit: Duration = .seconds(7)
  ) throws -> RunningExchange {
    let url = try #require(URL(string: "http://127.0.0.1/"))
    return RunningExchange(
      OutgoingRequest("GET", url, body: []), ExchangeLimits(duration: limit),
      until: .now + left)
  }

  /// The status or the failure of the outcome, once there is one.
  private func outcome(_ exchange: RunningExchange) async -> String? {
    let text = Guarded<String?>(nil)
    let task = Task {
      let outcome = await exchange.outcome
      text.withLock { text in
        switch outcome {
        case .success(let answer): text = "\(answer.status)\(answer.isCut ? ", cut" : "")"
        case .failure(let error): text = "\(error.outcome): \(error)"
        }
      }
    }
    let isTold = await Patience.waitIdly { text.withLock { $0 != nil } }
    if isTold { await task.value }
    return text.withLock { $0 }
  }

  @Test func `an HTTP exchange that has ended keeps its first outcome`() async throws {
    let exchange = try makeExchange()
    #expect(!exchange.hasEnded && !exchange.isLate && !exchange.isSending)
    exchange.end(.success(HTTPAnswer(204)))
    #expect(exchange.hasEnded)
    exchange.end(.success(HTTPAnswer(500)))
    exchange.giveUp("it is late")
    #expect(await outcome(exchange) == "204")
  }

  @Test func `a task that waits for an HTTP exchange resumes when the exchange ends`() async throws
  {
    let exchange = try makeExchange()
    async let told = outcome(exchange)
    try await Task.sleep(for: .milliseconds(1))
    exchange.end(.success(HTTPAnswer(204)))
    #expect(await told == "204")
  }

  @Test
  func `an abandoned HTTP exchange counts as unsent if sending hasn't begun, else as unknown`()
    async throws
  {
    let (unsent, sent) = (try makeExchange(), try makeExchange())
    unsent.giveUp("it is over")
    #expect(await outcome(unsent) == "unsent: it is over")
    sent.noteSending()
    #expect(sent.isSending)
    sent.giveUp("it is over")
    #expect(await outcome(sent) == "unknown: it is over")
  }

  @Test func `an HTTP exchange is late once its time limit has passed`() throws {
    #expect(try makeExchange(.zero).isLate && makeExchange(.seconds(-1)).isLate)
    #expect(try makeExchange().lateness.contains("7.0 seconds"))
    let odd = try makeExchange(limit: .nanoseconds(14_746_435_187))
    #expect(odd.lateness.contains("14.746 seconds"))
  }

  @Test(
    arguments: [
      (199, false, false), (200, true, false), (299, true, false), (300, false, false),
      (399, false, false), (400, true, true), (503, true, true),
    ])
  func `a broken HTTP exchange returns its response only with a 2xx, 4xx or 5xx status`(
    status: Int, isAnswer: Bool, isAnswerIfLate: Bool
  ) async throws {
    for reason in ["it broke", "the connection was lost"] {
      for isLate in [false, true] {
        let exchange = try makeExchange()
        exchange.end(
          .broken(TransportError(.unknown, reason), HTTPAnswer(status), isUndecided: isLate))
        let expected =
          (isLate ? isAnswerIfLate : isAnswer) ? "\(status), cut" : "unknown: \(reason)"
        #expect(await outcome(exchange) == expected)
      }
    }
    let silent = try makeExchange()
    silent.end(.broken(TransportError(.unknown, "the connection was lost"), nil))
    #expect(await outcome(silent) == "unknown: the connection was lost")
  }
}
