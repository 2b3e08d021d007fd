// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
  import Ambient
  import AmbientCollectors
  import Foundation
  import TestSupport
  import Testing

  @Suite struct `Interrupted request bodies` {
    private static let body = String(repeating: "x", count: 1_000_000)
    private static let tenths = Array(0...9)

    /// How an exchange ends, with longer limits until it ends so. A short one may end before the body
    /// is sent, while other tests keep the processors busy.
    private func outcome(
      _ client: CollectorClient, _ url: String, _ body: String,
      until isReached: (_ outcome: TransportError.Outcome?, _ isLate: Bool) -> Bool
    ) async throws -> (outcome: TransportError.Outcome?, isLate: Bool) {
      var last: (TransportError.Outcome?, Bool) = (nil, false)
      for limit in [Duration.seconds(1), .seconds(8), .seconds(64), Patience.short] {
        last = try await outcome(client, url, body, limit: limit, isRepeatable: false)
        if isReached(last.0, last.1) { break }
      }
      return last
    }

    /// How the exchange ends, with `late` if its limit was reached while the body was being sent.
    private func outcome(
      _ client: CollectorClient, _ url: String, _ body: String, limit: Duration = Patience.short,
      isRepeatable: Bool = true
    ) async throws -> (outcome: TransportError.Outcome?, isLate: Bool) {
      let request = OutgoingRequest("POST", try #require(URL(string: url)), body: Array(body.utf8))
        .with { $0.isRepeatable = isRepeatable }
      do throws(TransportError) {
        _ = try await client.exchange(request, ExchangeLimits(duration: limit))
        return (nil, false)
      } catch {
        return (error.outcome, error.isLateWhileSending)
      }
    }

    @Test(arguments: Network.curls, tenths)
    func `a request counts as unsent if the connection is lost while the body is being sent`(
      network: Network, tenth: Int
    ) async throws {
      let server = try LoopbackServer(always: .answer(200))
      for end in [NetworkLine.End.close, .reset] {
        let line = try NetworkLine(
          to: server.port, until: 200 + Self.body.utf8.count * tenth / 10, then: end)
        let request = OutgoingRequest(
          "POST", try #require(URL(string: line.url)), body: Array(Self.body.utf8))
        let limits = ExchangeLimits(duration: Patience.short)
        let error = await #expect(throws: TransportError.self) {
          try await network.client().exchange(request, limits)
        }
        #expect(error?.outcome == .unsent && error?.isLateWhileSending == false)
        #expect(error?.isCutWhileSending == true, "\(end), \(String(describing: error))")
      }
      #expect(server.requests.isEmpty)
    }

    /// A slow line takes at least a quarter of the limit's bytes, and what a socket takes ahead.
    @Test(
      .long, arguments: Network.curls, [1_000, 10_000, 100_000, 1_000_000, 10_000_000])
    func `on a slow line, a request with too long a body times out and counts as unsent`(
      network: Network, bytesPerSecond: Int
    ) async throws {
      let server = try LoopbackServer(always: .answer(200))
      let line = try NetworkLine(to: server.port, bytesPerSecond: bytesPerSecond)
      let client = try network.client()
      let long = String(repeating: "x", count: 200_000 + 4 * bytesPerSecond)
      let (outcome, isLate) = try await outcome(client, line.url, long, limit: .seconds(2))
      #expect(outcome == .unsent && isLate)
      #expect(server.requests.isEmpty)
      let short = String(repeating: "x", count: 10 * min(bytesPerSecond, 100_000))
      #expect(try await self.outcome(client, line.url, short).outcome == nil)
      #expect(server.requests.count == 1)
    }

    @Test(arguments: Network.curls, tenths)
    func `a request counts as unsent if it times out while the body is being sent`(
      network: Network, tenth: Int
    ) async throws {
      let server = try LoopbackServer(always: .answer(200))
      let line = try NetworkLine(
        to: server.port, until: 200 + Self.body.utf8.count * tenth / 10)
      let client = try network.client()
      let (outcome, isLate) = try await outcome(client, line.url, Self.body) { $1 }
      #expect(outcome == .unsent && isLate)
      #expect(server.requests.isEmpty)
    }

    @Test(arguments: Network.curls)
    func `a request that fails after the whole body was sent has an unknown outcome`(
      network: Network
    ) async throws {
      for action: LoopbackServer.Action in [.close, .hang] {
        let server = try LoopbackServer(always: action)
        for body in ["an event", Self.body] {
          let (outcome, isLate) = try await outcome(network.client(), server.url, body) {
            outcome, _ in
            outcome == .unknown
          }
          #expect(outcome == .unknown && !isLate)
        }
      }
    }

    @Test(arguments: Network.curls)
    func `if libcurl's own retry after a lost connection fails, a request's outcome is unknown`(
      network: Network
    ) async throws {
      let place = Guarded<LoopbackServer?>(nil)
      let server = try LoopbackServer { number, _ in
        if number == 1 { place.withLock { $0 }?.refuse() }
        return number == 0 ? .answer(200) : .close
      }
      place.withLock { $0 = server }
      defer { place.withLock { $0 = nil } }
      let client = try network.client()
      #expect(try await outcome(client, server.url, "an event").outcome == nil)
      let (outcome, _) = try await outcome(client, server.url, Self.body)
      #expect(outcome == .unknown)
      #expect(server.requests.count == 2)
    }

    @Test(arguments: Network.curls, ["HTTP/1.1 200 So\r\n", "HTTP/1.1 200 So\r\n\r\nso"])
    func `a request's outcome is unknown if a response starts before the whole body is sent`(
      network: Network, answer: String
    ) async throws {
      let server = try LoopbackServer(always: .hang)
      let line = try NetworkLine(to: server.port, until: 100_000, then: .answer(answer))
      let (outcome, isLate) = try await outcome(network.client(), line.url, Self.body) {
        outcome, _ in
        outcome == .unknown
      }
      #expect(outcome == .unknown && !isLate)
    }

    @Test(
      arguments: Network.curls,
      [
        "HTTP/1.1 200 So\r\ncontent-length: 2\r\n\r\nso",
        "HTTP/1.1 204 So\r\n\r\n",
        "HTTP/1.1 200 So\r\ncontent-length: 200\r\n\r\nso",
      ])
    func `if the connection resets during a request body, a 2xx response isn't a success`(
      network: Network, answer: String
    ) async throws {
      let server = try LoopbackServer(always: .hang)
      let line = try NetworkLine(
        to: server.port, until: 100_000, then: .answer(answer, thenReset: true))
      let (outcome, isLate) = try await outcome(network.client(), line.url, Self.body)
      #expect(outcome != nil && !isLate)
    }
  }
#endif
