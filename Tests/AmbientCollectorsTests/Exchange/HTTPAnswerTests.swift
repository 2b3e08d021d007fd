// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `An answer` {
  @Test func `is whole and no redirect unless that is said`() {
    let answer = HTTPAnswer(204)
    #expect(!answer.isCut && !answer.isRedirectedTooOften)
    #expect(answer.headers == [:] && answer.body == [])
  }

  @Test func `shows 300 characters if no number is given`() {
    #expect(HTTPAnswer(400).shown(String(repeating: "x", count: 301)).count == 300)
  }

  @Test func `shows as many as are asked for, though half of its words are spaces`() {
    let words = String(repeating: "x   ", count: 10_000)
    #expect(HTTPAnswer(400).shown(words, atMost: 10_000).count == 10_000)
  }

  @Test func `is asked for by a request that may come twice unless that is said`() throws {
    let url = try #require(URL(string: "https://events.example/logs/T0KEN?key=hidden"))
    let request = OutgoingRequest("PUT", url, body: [1, 2])
    #expect(request.isRepeatable && request.method == "PUT")
    #expect(request.headers == [:] && request.compression == .identity)
    #expect(request.description == "PUT https://events.example/logs/…, 2 bytes")
  }
}
