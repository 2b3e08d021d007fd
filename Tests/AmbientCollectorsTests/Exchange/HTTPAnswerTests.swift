// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `HTTP requests and answers` {
  @Test func `an HTTPAnswer is neither cut nor redirected too often by default`() {
    let answer = HTTPAnswer(204)
    #expect(!answer.isCut && !answer.isRedirectedTooOften)
    #expect(answer.headers == [:] && answer.body == [])
  }

  @Test func `an HTTPAnswer shows at most 300 characters of a text by default`() {
    #expect(HTTPAnswer(400).shown(String(repeating: "x", count: 301)).count == 300)
  }

  @Test func `an HTTPAnswer shows as many characters of a text with many spaces as requested`() {
    let words = String(repeating: "x   ", count: 10_000)
    #expect(HTTPAnswer(400).shown(words, atMost: 10_000).count == 10_000)
  }

  @Test func `an OutgoingRequest is repeatable and uncompressed by default`() throws {
    let url = try #require(URL(string: "https://events.example/logs/T0KEN?key=hidden"))
    let request = OutgoingRequest("PUT", url, body: [1, 2])
    #expect(request.isRepeatable && request.method == "PUT")
    #expect(request.headers == [:] && request.compression == .identity)
    #expect(request.description == "PUT https://events.example/logs/…, 2 bytes")
  }
}
