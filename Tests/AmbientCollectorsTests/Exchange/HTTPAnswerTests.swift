// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `HTTP requests and answers` {
  @Test func `by default, an HTTPAnswer isn't marked as cut or as redirected too often`() {
    let answer = HTTPAnswer(204)
    #expect(!answer.isCut && !answer.isRedirectedTooOften)
    #expect(answer.headers == [:] && answer.body == [])
  }

  @Test func `by default, HTTPAnswer.shown returns at most 300 characters of a text`() {
    #expect(HTTPAnswer(400).shown(String(repeating: "x", count: 301)).count == 300)
  }

  @Test func `HTTPAnswer.shown returns as many characters as requested even with many spaces`() {
    let words = String(repeating: "x   ", count: 10_000)
    #expect(HTTPAnswer(400).shown(words, atMost: 10_000).count == 10_000)
  }

  @Test func `by default, an OutgoingRequest is repeatable and uncompressed`() throws {
    let url = try #require(URL(string: "https://events.example/logs/T0KEN?key=hidden"))
    let request = OutgoingRequest("PUT", url, body: [1, 2])
    #expect(request.isRepeatable && request.method == "PUT")
    #expect(request.headers == [:] && request.compression == .identity)
    #expect(request.description == "PUT https://events.example/logs/…, 2 bytes")
  }
}
