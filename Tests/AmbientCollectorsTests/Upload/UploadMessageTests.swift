// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Verdict messages` {
  private let now = Date(timeIntervalSince1970: 1_795_755_600)

  /// The reason and the detail of the usual verdict.
  private func usual(
    _ status: Int, _ headers: [String: String] = [:], _ body: String = "denied"
  ) -> String {
    let answer = HTTPAnswer(status, headers: headers, body: Array(body.utf8))
    let (reason, detail) = DeliveryVerdict.usual(for: answer, now: now).words
    return detail.isEmpty ? reason : "\(reason) (\(detail))"
  }

  @Test func `the messages of verdicts about responses equal those in messages.txt`() throws {
    var redirected = HTTPAnswer(307, headers: ["location": "/in"])
    redirected.isRedirectedTooOften = true
    var brokenOff = HTTPAnswer(200, body: Array("{".utf8))
    brokenOff.isBrokenOff = true
    let ofSetUp = [
      402, 405, 406, 410, 411, 412, 414, 415, 416, 417, 421, 423, 424, 426, 428, 431, 451, 511,
    ]
    try MessageCatalog.expect(
      "Collectors, verdicts",
      [
        "A status": usual(400),
        "Statuses of the set-up": ofSetUp.map { usual($0) }.joined(separator: "\n"),
        "A web page": usual(200, [:], "<!DOCTYPE html><p>Log in"),
        "A web page with a status": usual(400, [:], "<!DOCTYPE html><p>Log in"),
        "A proxy": usual(407),
        "A cache": usual(304),
        "A redirect": usual(302, ["location": "https://u:s3cret@b.example/in?key=s3cret"]),
        "A redirect without a target": usual(302),
        "Too many redirects":
          DeliveryVerdict.usual(for: redirected, now: now).words.reason,
        "An incomplete answer": DeliveryVerdict.brokenOff(brokenOff)?.words.reason ?? "none",
        "A request that is too large":
          DeliveryVerdict.tooLarge("status 413").words.detail,
        "An unknown outcome": DeliveryVerdict.inDoubt(detail: "").words.reason,
        "A detail with control characters, longer than the limit":
          usual(400, [:], "no\r\n\u{1B}[31m" + String(repeating: "“ж”\u{301} ", count: 2_000)),
      ])
  }

  @Test func `the messages of verdicts about refusals equal those in messages.txt`() throws {
    func text(_ refusal: RetryPolicy.Wait.Refusal, isKnown: Bool) -> String {
      "status 400\(UploadLoop.words(of: refusal, "event", isKnown: isKnown))"
    }
    try MessageCatalog.expect(
      "Collectors, refusals",
      [
        "Every event": text(.ofEveryEvent, isKnown: true),
        "Every event, from the first on": text(.ofEveryEvent, isKnown: false),
        "An event refused in a request of its own": text(.ofOnlyEvent, isKnown: true),
        "The first event, refused in a request of its own": text(.ofOnlyEvent, isKnown: false),
        "A record that cannot be read": "\(EventRefusal.unreadable)",
        "A field": "\(EventRefusal(field: "properties.value", "expected a number"))",
      ])
  }
}
