// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation
import Testing

@Suite struct `Retry-After parsing` {
  private let now = Date(timeIntervalSince1970: 784_111_777)

  private func wait(_ text: String, date: String? = nil) -> Duration? {
    let answer = HTTPAnswer(
      503, headers: ["retry-after": text].merging(date.map { ["date": $0] } ?? [:]) { $1 })
    return answer.retryAfter(now: now)
  }

  @Test(arguments: [
    ("0", 0), (" 120 ", 120), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
    ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sunday, 06-Nov-69 08:50:37 GMT", 0),
    ("Sunday, 06-Nov-68 08:50:37 GMT", 2_335_305_660), ("Sun Nov  6 08:50:37 1994", 60),
    ("Sun, 06 Nov 1994 08:48:37 GMT", 0), ("Sat, 10 Dec 1994 08:49:37 GMT", 2_937_600),
    ("Sun Oct  9 08:49:37 1994", 0), ("Sun, 09 Oct 1995 08:49:37 GMT", 29_116_800),
    ("Saturday, 06-Nov-99 08:49:37 GMT", 157_766_400), ("9", 9), ("10", 10),
    ("99999999999999999999999", 1_099_511_627_776),
  ])
  func `a Retry-After value is accepted in seconds and in three date formats`(
    _ text: String, seconds: Int
  ) {
    #expect(wait(text) == .seconds(seconds))
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:50:37 CET", "Sun, 06 Nov 1994 08:50:37 +0100",
    "Sun, 06 Nov 1994 08:50:37 gmt", "Sun, 06 Nov 1994 08:50:37", "Sun, 06 Now 1994 08:50:37 GMT",
    "Wed, 31 Nov 1994 08:50:37 GMT", "Sat, 06 Nov 0100 08:50:37 GMT", "1994-11-06T08:50:37Z", "-1",
    "1.5", "soon", "",
  ])
  func `a Retry-After value in a time zone other than GMT or an invalid format is ignored`(
    _ text: String
  ) {
    #expect(wait(text) == nil)
  }

  @Test func `the wait until a Retry-After date is measured from the server's Date header`() {
    let text = "Sun, 06 Nov 1994 08:50:37 GMT"
    #expect(wait(text, date: "Sun, 06 Nov 1994 08:50:07 GMT") == .seconds(30))
    #expect(wait(text, date: "Sun, 06 Nov 1994 08:50:07 CET") == .seconds(60))
  }
}
