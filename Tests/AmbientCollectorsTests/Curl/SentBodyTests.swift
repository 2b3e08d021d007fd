#if !canImport(Darwin)
  import Ambient
  import AmbientCollectors
  import Foundation
  import TestSupport
  import Testing

  @Suite struct `A body that is sent` {
    private static let body = String(repeating: "x", count: 1_000_000)
    private static let tenths = Array(0...9)

    /// How the exchange ends, with `late` if its limit was reached while the body was being sent.
    private func outcome(
      _ client: HTTPClient, _ url: String, _ body: String, limit: Duration = Patience.short,
      isRepeatable: Bool = true
    ) async throws -> (outcome: TransportError.Outcome?, isLate: Bool) {
      let request = OutgoingRequest(
        "POST", try #require(URL(string: url)), body: Array(body.utf8), isRepeatable: isRepeatable)
      do throws(TransportError) {
        _ = try await client.exchange(request, ExchangeLimits(duration: limit))
        return (nil, false)
      } catch {
        return (error.outcome, error.isLateWhileSending)
      }
    }

    @Test(arguments: Network.curls, tenths)
    func `is unsent if the connection is cut at a tenth of it`(
      network: Network, tenth: Int
    ) async throws {
      let server = try LoopbackServer(always: .answer(200))
      for end in [NetworkLine.End.close, .reset] {
        let line = try NetworkLine(
          to: server.port, until: 200 + Self.body.utf8.count * tenth / 10, then: end)
        let (outcome, isLate) = try await outcome(network.client(), line.url, Self.body)
        #expect(outcome == .unsent && !isLate)
      }
      #expect(server.requests.isEmpty)
    }

    @Test(arguments: Network.curls, tenths)
    func `is unsent and late if the limit comes at a tenth of it`(
      network: Network, tenth: Int
    ) async throws {
      let server = try LoopbackServer(always: .answer(200))
      let line = try NetworkLine(
        to: server.port, until: 200 + Self.body.utf8.count * tenth / 10)
      let client = try network.client()
      let (outcome, isLate) = try await outcome(client, line.url, Self.body, limit: .seconds(2))
      #expect(outcome == .unsent && isLate)
      #expect(server.requests.isEmpty)
    }

    @Test(arguments: Network.curls)
    func `may have been received if it was sent as a whole`(network: Network) async throws {
      for action: LoopbackServer.Action in [.close, .hang] {
        let server = try LoopbackServer(always: action)
        for body in ["an event", Self.body] {
          let (outcome, isLate) = try await outcome(
            network.client(), server.url, body, limit: .seconds(5), isRepeatable: false)
          #expect(outcome == .unknown && !isLate)
        }
        #expect(server.requests.count == 2)
      }
    }

    @Test(arguments: Network.curls)
    func `may have been received on a reused connection, before a failed repetition`(
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

    @Test(arguments: Network.curls, ["HTTP/1.1 2", "HTTP/1.1 200 So\r\n\r\nso"])
    func `may have been acted on in part if an answer has begun`(
      network: Network, answer: String
    ) async throws {
      let server = try LoopbackServer(always: .hang)
      let line = try NetworkLine(to: server.port, until: 100_000, then: .answer(answer))
      let (outcome, isLate) = try await outcome(
        network.client(), line.url, Self.body, limit: .seconds(2))
      #expect(outcome == .unknown && !isLate)
    }
  }
#endif
