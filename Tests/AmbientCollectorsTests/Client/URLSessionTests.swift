// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import TestSupport
import Testing

/// Foundation on Linux runs in a process of its own, through all cases that it survives there.
@Suite(.serialized) struct `URLSession carrier` {
  @Test func `the URLSession carrier reads sized, chunked, unsized and empty HTTP responses`() async
  {
    await #expect(processExitsWith: .success) {
      for (what, steps, expected) in SurvivedAnswers.all {
        let server = try LoopbackServer(always: .steps(steps))
        let outcome = try await Network.urlSession.client().outcome(server.url)
        guard outcome == expected else { throw WrongOutcome(text: "\(what): \(outcome)") }
      }
    }
  }

  @Test func `the URLSession carrier follows five redirects and repeats the whole request`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { number, _ in
        number < 5
          ? .answer(307, headers: ["Location": "/\(number + 1)"]) : .answer(200, body: "so")
      }
      let outcome = try await Network.urlSession.client().outcome(
        server.url, method: "PUT", headers: ["X-Key": "k"])
      let requests = server.requests
      guard outcome == "200 so", requests.map(\.target) == ["/", "/1", "/2", "/3", "/4", "/5"],
        requests.allSatisfy({
          $0.method == "PUT" && $0.body == "an event" && $0.headers["x-key"] == "k"
            && $0.headers["accept-encoding"] == "identity"
        })
      else { throw WrongOutcome(text: "\(outcome) \(requests)") }
    }
  }

  @Test func `the URLSession carrier doesn't send a server's cookies back`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer(
        always: .answer(200, headers: ["Set-Cookie": "visitor=7; Path=/; Max-Age=1000"]))
      let client = try Network.urlSession.client()
      for _ in 0..<2 { _ = await client.outcome(server.url) }
      let cookies = server.requests.map { $0.headers["cookie"] }
      guard cookies == [nil, nil] else { throw WrongOutcome(text: "\(cookies)") }
    }
  }

  @Test func `the URLSession carrier doesn't follow a redirect to another origin`() async {
    await #expect(processExitsWith: .success) {
      let other = try LoopbackServer(always: .answer(200))
      let server = try LoopbackServer { [url = other.url] _, _ in
        .answer(302, headers: ["Location": url])
      }
      let outcome = try await Network.urlSession.client().outcome(server.url)
      guard outcome == "302 ", other.requests.isEmpty else { throw WrongOutcome(text: outcome) }
    }
  }

  @Test func `if a server doesn't answer, an exchange over URLSession ends at the time limit`()
    async
  {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer(always: .hang)
      let outcome = try await Network.urlSession.client().outcome(
        server.url, limit: .milliseconds(300))
      guard outcome == "unknown: \(RunningExchange.lateness(after: .milliseconds(300)))" else {
        throw WrongOutcome(text: outcome)
      }
    }
  }

  // Foundation traps where a redirect is decided on for a task that was cancelled before.
  @Test func `cancelling an exchange over URLSession during a redirect doesn't crash the process`()
    async
  {
    await #expect(processExitsWith: .success) { try await giveUpExchanges(.urlSession) }
  }
}
