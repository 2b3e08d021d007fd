// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `Compressed bodies` {
  private let text = String(repeating: #"{"event":"purchase","value":12}"# + "\n", count: 200)

  private func request(
    _ server: LoopbackServer, _ text: String, _ compression: BodyCompression = .gzip,
    headers: [String: String] = [:]
  ) throws -> OutgoingRequest {
    OutgoingRequest("POST", try #require(URL(string: server.url)), body: Array(text.utf8)).with {
      $0.headers = headers
      $0.compression = compression
    }
  }

  private func send(_ client: CollectorClient, _ request: OutgoingRequest) async throws
    -> HTTPAnswer
  {
    try await client.exchange(request, ExchangeLimits(duration: Patience.short))
  }

  @Test func `a request body sent with gzip is shorter and decodes to the original body`()
    async throws
  {
    let server = try LoopbackServer([])
    #expect(BodyCompression.isAvailable)
    #expect(try await send(CollectorClient(), request(server, text)).status == 200)
    let received = server.requests
    #expect(received.map(\.body) == [text])
    #expect(received.map { $0.headers["content-encoding"] } == ["gzip"])
    #expect(received[0].bytes.count < text.utf8.count / 10)
    #expect(received[0].headers["content-length"] == "\(received[0].bytes.count)")
  }

  @Test func `a request body under 1 KiB or with its own Content-Encoding is sent uncompressed`()
    async throws
  {
    let server = try LoopbackServer([])
    let client = try CollectorClient()
    var random = SystemRandomNumberGenerator()
    let noise = String(
      decoding: (0..<1_500).map { _ in UInt8.random(in: 33...126, using: &random) }, as: UTF8.self)
    for (text, compression) in [
      (text, BodyCompression.identity), (String(repeating: "x", count: 1_023), .gzip), ("", .gzip),
    ] {
      _ = try await send(client, request(server, text, compression))
    }
    _ = try await send(client, request(server, text, headers: ["content-encoding": "identity"]))
    #expect(server.requests.map(\.bytes.count) == [text.utf8.count, 1_023, 0, text.utf8.count])
    #expect(server.requests.dropLast().allSatisfy { $0.headers["content-encoding"] == nil })
    _ = try await send(client, request(server, noise))
    #expect(server.requests.last?.body == noise)
    #expect(server.requests.last.map { $0.bytes.count <= noise.utf8.count } == true)
    // The shortest that is compressed.
    _ = try await send(client, request(server, String(repeating: "x", count: 1_024)))
    #expect(server.requests.last?.headers["content-encoding"] == "gzip")
  }

  @Test(arguments: [(415, 204), (400, 200), (415, 299), (400, 201)])
  func `after a server refuses a gzip body, the body is resent and gzip is turned off`(
    status: Int, taken: Int
  ) async throws {
    let server = try LoopbackServer { _, request in
      .answer(request.headers["content-encoding"] == nil ? taken : status)
    }
    let kept = Reports()
    try await Diagnostics.withInstance(kept) {
      let client = try CollectorClient()
      for _ in 0..<2 { #expect(try await send(client, request(server, text)).status == taken) }
    }
    #expect(server.requests.map { $0.headers["content-encoding"] } == ["gzip", nil, nil])
    #expect(server.requests.map(\.body) == [text, text, text])
    let messages = kept.messages
    #expect(messages.count == 1)
    #expect(messages.first?.contains("status \(status)") == true)
  }

  /// Takes whatever is sent.
  private final class TakingCarrier: Carrier {
    let bodies = Guarded<[[UInt8]]>([])

    func start(_ exchange: RunningExchange) {
      bodies.withLock { $0.append(exchange.request.body) }
      exchange.end(.success(HTTPAnswer(204)))
    }

    func cancel(_ exchange: RunningExchange) {}
  }

  @Test(.quiet)
  func `a refused gzip body turns gzip off even if a pending gzip body succeeds afterwards`()
    async throws
  {
    let isUnderWay = Guarded(false)
    let isRefused = Guarded(false)
    let server = try LoopbackServer { _, request in
      guard request.headers["content-encoding"] != nil else { return .answer(204) }
      guard request.body.hasPrefix("slow") else { return .answer(415) }
      isUnderWay.withLock { $0 = true }
      _ = Patience.wait { isRefused.withLock { $0 } }
      return .answer(204)
    }
    let client = try CollectorClient()
    async let slow = send(client, request(server, "slow" + text))
    #expect(await Patience.waitIdly { isUnderWay.withLock { $0 } })
    #expect(try await send(client, request(server, text)).status == 204)
    isRefused.withLock { $0 = true }
    #expect(try await slow.status == 204)
    #expect(try await send(client, request(server, text)).status == 204)
    #expect(server.requests.map { $0.headers["content-encoding"] } == ["gzip", "gzip", nil, nil])
  }

  @Test func `if zlib is missing, this is reported once and request bodies are sent uncompressed`()
    async throws
  {
    let kept = Reports()
    let carrier = TakingCarrier()
    let request = OutgoingRequest(
      "POST", try #require(URL(string: "http://a.example/")), body: Array(text.utf8)
    ).with { $0.compression = .gzip }
    try await Diagnostics.withInstance(kept) {
      let client = CollectorClient(carrier, hasZlib: false)
      for _ in 0..<2 { _ = try await send(client, request) }
    }
    #expect(carrier.bodies.withLock { $0 } == [request.body, request.body])
    let messages = kept.messages
    #expect(messages.count == 1)
    #expect(messages.first?.contains("libz.so.1") == true)
  }

  @Test func `gzip stays on if a server refuses a body for a reason other than compression`()
    async throws
  {
    let statuses = [500, 200, 400, 415, 415, 200]
    let server = try LoopbackServer { number, _ in .answer(statuses[number]) }
    try await Diagnostics.withInstance(.calling { Issue.record("\($0)") }) {
      let client = try CollectorClient()
      // A 500 is not about the compression. Once a compressed body was taken, a 400 is about its
      // content, and a 415 is tried twice.
      for status in [500, 200, 400, 415, 200] {
        #expect(try await send(client, request(server, text)).status == status)
      }
    }
    #expect(
      server.requests.map { $0.headers["content-encoding"] } == [
        "gzip", "gzip", "gzip", "gzip", nil, "gzip",
      ])
  }
}
