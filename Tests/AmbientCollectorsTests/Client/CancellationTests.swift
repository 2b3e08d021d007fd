// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `Cancelled HTTP exchanges` {
  @Test func `cancelling an HTTP exchange during a redirect doesn't crash the client`() async throws
  {
    try await giveUpExchanges(.curl)
  }

  @Test func `cancelling an HTTP exchange closes the connection at once, with outcome unknown`()
    async throws
  {
    let server = try LoopbackServer(always: .hang)
    let client = try Network.curl.client()
    let url = try #require(URL(string: server.url))
    let ended = Guarded<TransportError?>(nil)
    let task = Task {
      do throws(TransportError) {
        _ = try await client.exchange(
          OutgoingRequest("POST", url, body: [1]), ExchangeLimits(duration: .seconds(86_400)))
      } catch { ended.withLock { $0 = error } }
    }
    #expect(await Patience.waitIdly { server.requests.count == 1 })
    #expect(server.connections == 1)
    task.cancel()
    #expect(await Patience.waitIdly { ended.withLock { $0 != nil } })
    #expect(ended.withLock { $0 } == TransportError(.unknown, TransportError.cancelled))
    #expect(await Patience.waitIdly(.seconds(60)) { server.connections == 0 })
  }
}

/// Gives up exchanges around the moment in which their answers come.
func giveUpExchanges(_ network: Network) async throws {
  let server = try LoopbackServer { _, _ in
    .answer(302, headers: ["Location": "http://127.0.0.1:1/elsewhere"])
  }
  let client = try network.client()
  let url = server.url
  var ended: [String: Int] = [:]
  for number in 0..<600 {
    let task = Task { await client.outcome(url) }
    // Ever longer, since a sanitizer or a busy machine makes answers late.
    try? await Task.sleep(for: .microseconds(200 + number % 40 * 25 * (1 + number / 60)))
    task.cancel()
    let outcome = await task.value
    ended[outcome.split(separator: ": ").last.map(String.init) ?? "", default: 0] += 1
  }
  guard Set(ended.keys) == ["302 ", TransportError.cancelled] else {
    throw WrongOutcome(text: "\(ended)")
  }
}

/// An exchange ended otherwise than it should.
struct WrongOutcome: Error { let text: String }
