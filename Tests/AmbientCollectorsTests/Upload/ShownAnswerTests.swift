// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `Response excerpts` {
  @Test func `an excerpt of a multiline JSON response is a single line`() {
    let body = "{\n  \"error\": {\r\n\t\"message\": \"no\"\n  }\n}\n"
    let answer = HTTPAnswer(401, body: Array(body.utf8))
    #expect(answer.excerpt == #"{ "error": { "message": "no" } }"#)
  }

  @Test func `a response excerpt has at most 300 characters and no partial character`() {
    let body = Array(String(repeating: "ä", count: 400).utf8)
    #expect(HTTPAnswer(400, body: body).excerpt == String(repeating: "ä", count: 300))
    #expect(HTTPAnswer(400, body: Array(body.prefix(5)), isCut: true).excerpt == "ää")
  }

  @Test(arguments: [(-1, 0), (0, 0), (1, 1), (9_999, 9_999), (10_001, 10_000), (Int.max, 10_000)])
  func `a response excerpt has the requested length, at most 10,000 characters`(
    longest: Int, count: Int
  ) {
    let words = String(repeating: "ä", count: 20_000)
    #expect(HTTPAnswer(400).shown(words, atMost: longest).count == count)
  }
}
