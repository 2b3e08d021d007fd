// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `HTTP client messages` {
  private func reason(
    _ method: String = "GET", _ url: String = "https://a.example/",
    _ headers: [String: String] = [:],
    body: [UInt8] = []
  ) async -> String {
    guard let url = URL(string: url) else { return "no URL" }
    var request = OutgoingRequest(method, url, body: body)
    request.headers = headers
    do throws(TransportError) {
      _ = try await CollectorClient(Idle()).exchange(request, ExchangeLimits(duration: .zero))
      return "valid"
    } catch { return "\(error)" }
  }

  /// A carrier that sends nothing.
  private struct Idle: Carrier {
    func start(_ exchange: RunningExchange) {}
    func cancel(_ exchange: RunningExchange) {}
  }

  @Test func `the HTTP client's messages about requests equal those in messages.txt`() async throws
  {
    try MessageCatalog.expect(
      "Collectors, requests",
      [
        "A malformed method": await reason("GE T"),
        "A HEAD with a body": await reason("HEAD", body: [1]),
        "A header field with control characters":
          await reason("GET", "https://a.example/", ["X\r\n\u{1B}Y": "z"]),
        "A line break in the value of a header field with a name of 10,000 characters":
          await reason("GET", "https://a.example/", [String(repeating: "x", count: 10_000): "\n"]),
        "An address of another scheme": await reason("GET", "ftp://a.example/"),
        "An address with a user": await reason("GET", "https://u:s3cret@a.example/"),
        "A cancelled exchange": TransportError.cancelled,
        "A server that rejects gzip": CollectorClient.uncompressed(rejectedBy: 415),
        "A system without zlib":
          CollectorClient.uncompressed(rejectedBy: nil)
          .replacing(BodyCompression.library, with: "libz.so.1"),
      ])
  }
}
