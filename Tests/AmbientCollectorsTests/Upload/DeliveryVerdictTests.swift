// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AmbientCollectors

@Suite struct `Delivery verdicts` {
  private let now = Date(timeIntervalSince1970: 1_795_755_600)

  private func usual(
    _ status: Int, _ headers: [String: String] = [:], _ body: String = "no"
  ) -> DeliveryVerdict {
    .usual(for: HTTPAnswer(status, headers: headers, body: Array(body.utf8)), now: now)
  }

  @Test(arguments: [
    (199, DeliveryVerdict.unclear("status 199", detail: "no")), (200, .accepted), (299, .accepted),
    (300, .turnedAway("status 300, …")),
    (304, .turnedAway("status 304, …")),
    (399, .turnedAway("status 399, …")),
    (400, .refused("status 400", detail: "no")),
    (401, .turnedAway("status 401", detail: "no")),
    (402, .turnedAway("status 402, …", detail: "no")),
    (403, .turnedAway("status 403", detail: "no")),
    (404, .turnedAway("status 404", detail: "no")),
    (405, .turnedAway("status 405, …", detail: "no")),
    (407, .turnedAway("status 407, …", detail: "no")),
    (408, .retry("status 408", detail: "no")), (409, .refused("status 409", detail: "no")),
    (410, .turnedAway("status 410, …", detail: "no")),
    (413, .tooLarge("status 413", detail: "no")),
    (414, .turnedAway("status 414, …", detail: "no")),
    (418, .refused("status 418", detail: "no")), (420, .refused("status 420", detail: "no")),
    (422, .refused("status 422", detail: "no")),
    (423, .turnedAway("status 423, …", detail: "no")),
    (425, .retry("status 425", detail: "no")), (427, .refused("status 427", detail: "no")),
    (429, .retry("status 429", detail: "no")), (430, .refused("status 430", detail: "no")),
    (431, .turnedAway("status 431, …", detail: "no")),
    (450, .refused("status 450", detail: "no")),
    (451, .turnedAway("status 451, …", detail: "no")),
    (499, .refused("status 499", detail: "no")), (500, .unclear("status 500", detail: "no")),
    (510, .unclear("status 510", detail: "no")),
    (511, .turnedAway("status 511, …", detail: "no")),
    (512, .unclear("status 512", detail: "no")), (999, .unclear("status 999", detail: "no")),
  ])
  func `DeliveryVerdict.usual returns the expected verdict for each HTTP status`(
    status: Int, verdict: DeliveryVerdict
  ) {
    #expect(usual(status).hasForm(of: verdict), "\(usual(status))")
  }

  @Test(arguments: [408, 425, 429, 502, 503, 504])
  func `a DeliveryVerdict of retry or unclear contains the delay from the Retry-After header`(
    status: Int
  ) {
    #expect(
      usual(status, ["retry-after": "7"])
        == .retry("status \(status)", after: .seconds(7), detail: "no"))
    #expect(
      usual(500, ["retry-after": "7"]) == .unclear("status 500", after: .seconds(7), detail: "no"))
  }

  @Test(arguments: [
    (["proxy-status": "edge; error=dns_error"], true),
    (["proxy-status": "edge; received-status=400"], false),
    (["proxy-authenticate": "Basic"], true), (["x-squid-error": "ERR_ACCESS_DENIED 0"], true),
    (["via": "1.1 edge"], false),
  ])
  func `a 400 response with header fields of a proxy is attributed to the proxy`(
    headers: [String: String], isOfProxy: Bool
  ) {
    #expect(
      usual(400, headers)
        .hasForm(
          of: isOfProxy
            ? .turnedAway("status 400, …", detail: "no") : .refused("status 400", detail: "no")))
    #expect(usual(500, headers) == .unclear("status 500", detail: "no"))
  }

  @Test(arguments: [
    ("https://b.example/new", "to https://b.example/new"), ("/login", "to /login"),
    ("https://u:s3cret@b.example/?key=s3cret", "to https://b.example/"),
  ])
  func `the verdict on a redirect shows the redirect's target without secrets`(
    location: String, shown: String
  ) {
    #expect(
      usual(302, ["location": location]).hasForm(of: .turnedAway("status 302, …", detail: shown)))
    #expect(usual(304, ["location": location]).hasForm(of: .turnedAway("status 304, …")))
  }

  @Test(arguments: [
    ("<!doctype html><p>", [:], true), (" \n<HTML>", [:], true), ("<p>", [:], false),
    ("<p>", ["content-type": "Text/HTML; charset=utf-8"], true),
    ("<p>", ["content-type": "text/xml"], false), ("ok", ["content-type": "text/html"], false),
    ("", ["content-type": "text/html"], false), ("x<!doctype html>", [:], false),
  ])
  func `a 2xx or 4xx response with a web page gets the verdict turnedAway`(
    body: String, headers: [String: String], isPage: Bool
  ) {
    for status in [200, 299] {
      let page = DeliveryVerdict.turnedAway(
        DeliveryVerdict.webPage,
        detail: HTTPAnswer(status, body: Array(body.utf8)).excerpt)
      #expect(usual(status, headers, body) == (isPage ? page : .accepted))
    }
    if isPage {
      let detail = HTTPAnswer(400, body: Array(body.utf8)).excerpt
      for status in [400, 409, 422] {
        #expect(
          usual(status, headers, body)
            == .turnedAway("status \(status) with \(DeliveryVerdict.webPage)", detail: detail))
      }
      for status in [502, 503, 504] {
        #expect(usual(status, headers, body) == .retry("status \(status)", detail: detail))
      }
      for status in [500, 501, 505, 599] {
        #expect(usual(status, headers, body) == .unclear("status \(status)", detail: detail))
      }
    }
    #expect(!HTTPAnswer(300, headers: headers, body: Array(body.utf8)).isWebPageOfSuccess)
    #expect(!HTTPAnswer(199, headers: headers, body: Array(body.utf8)).isWebPageOfSuccess)
  }

  @Test func `a response that is a web page never gets the verdict refused or partlyAccepted`() {
    let verdicts: [@Sendable (HTTPAnswer, Date) -> DeliveryVerdict] = [
      { .usual(for: $0, now: $1) }, { .adobe($0, now: $1) },
      { .clickHouse($0, now: $1) ?? .usual(for: $0, now: $1) },
    ]
    for status in 100...599 where status != 413 {
      for body in ["<!DOCTYPE html><p>no", #"{"error":"no"}"#] {
        let answer = HTTPAnswer(status, body: Array(body.utf8))
        for (number, verdict) in verdicts.enumerated() {
          switch verdict(answer, now) {
          case .refused, .partlyAccepted: #expect(!answer.isWebPage, "\(status), \(number)")
          case .unclear:
            #expect(!answer.isWebPage || status < 200 || status >= 500, "\(status), \(number)")
          default: break
          }
        }
        #expect(
          answer.isWebPage
            || DeliveryVerdict.usual(for: answer, now: now).isOfRoot(
              .usual(for: HTTPAnswer(status, body: Array("no".utf8)), now: now)),
          "\(status)")
      }
    }
  }

  @Test func `if a verdict needs the body of a 2xx response, a truncated body leads to a retry`() {
    for status in [200, 207, 299] {
      for headers in [[:], ["x-clickhouse-summary": "{}"]] {
        var answer = HTTPAnswer(status, headers: headers, body: Array("no".utf8), isCut: true)
        #expect(DeliveryVerdict.brokenOff(answer) == nil)
        answer.isBrokenOff = true
        let verdict = DeliveryVerdict.brokenOff(answer)
        let isRetry =
          if case .retry(_, nil, "no", isInDoubt: true)? = verdict { true } else { false }
        #expect(isRetry, "\(String(describing: verdict))")
        #expect(DeliveryVerdict.usual(for: answer, now: now) == .accepted)
        #expect(
          DeliveryVerdict.clickHouse(answer, now: now) == (headers.isEmpty ? nil : verdict))
        #expect(
          DeliveryVerdict.adobe(answer, now: now) == (status == 207 ? verdict : .accepted))
      }
    }
    var refusal = HTTPAnswer(400, body: Array("no".utf8), isCut: true)
    refusal.isBrokenOff = true
    #expect(DeliveryVerdict.brokenOff(refusal) == nil)
  }

  @Test func `the excerpt of a truncated response has no partial character at the end`() {
    let half = Array("ää".utf8.dropLast())
    #expect(HTTPAnswer(400, body: half, isCut: true).excerpt == "ä")
    #expect(HTTPAnswer(400, body: half).excerpt == "ä\u{FFFD}")
    #expect(HTTPAnswer(400, body: Array("ä".utf8), isCut: true).excerpt == "ä")
  }

  // MARK: - Of OpenTelemetry and Adobe

  @Test(arguments: [
    (200, DeliveryVerdict.accepted), (400, .refused("status 400", detail: "no")),
    (408, .abandoned("status 408", detail: "no")), (409, .refused("status 409", detail: "no")),
    (425, .retry("status 425", detail: "no")), (429, .retry("status 429", detail: "no")),
    (500, .abandoned("status 500", detail: "no")), (501, .abandoned("status 501", detail: "no")),
    (502, .retry("status 502", detail: "no")), (503, .retry("status 503", detail: "no")),
    (504, .retry("status 504", detail: "no")), (505, .abandoned("status 505", detail: "no")),
    (510, .abandoned("status 510", detail: "no")),
    (511, .turnedAway("status 511, …", detail: "no")),
    (512, .abandoned("status 512", detail: "no")),
  ])
  func `DeliveryVerdict.otlp returns the expected verdict for each HTTP status`(
    status: Int, verdict: DeliveryVerdict
  ) {
    let found = DeliveryVerdict.otlp(HTTPAnswer(status, body: Array("no".utf8)), now: now)
    #expect(found.hasForm(of: verdict), "\(found)")
  }

  private func adobe(_ status: Int, _ code: String) -> DeliveryVerdict {
    let body = #"{"type":"https://ns.adobe.com/aep/errors/\#(code)","title":"no"}"#
    return .adobe(HTTPAnswer(status, body: Array(body.utf8)), now: now)
  }

  @Test(arguments: [
    ("EXEG-0000-400", false, false), ("EXEG-0001-400", true, false),
    ("EXEG-0099-400", true, false), ("EXEG-0100-400", false, true),
    ("EXEG-0199-400", false, true), ("EXEG-0200-400", false, false),
    ("EXEG-01-400", false, false), ("EXEG-0100-4000", false, false),
  ])
  func `DeliveryVerdict.adobe returns the expected verdict for each EXEG error code`(
    code: String, isAboutUs: Bool, isAboutInput: Bool
  ) {
    let shown = code.wholeMatch(of: /EXEG-[0-9]{4}-[0-9]{3}/) != nil ? ", \(code)" : ""
    for status in [400, 422] {
      let reason = "status \(status)\(shown)"
      #expect(
        adobe(status, code)
          == (isAboutUs ? .turnedAway(reason, detail: "no") : .refused(reason, detail: "no")))
    }
    let reason = "status 500\(shown)"
    #expect(
      adobe(500, code)
        == (isAboutInput ? .refused(reason, detail: "no") : .abandoned(reason, detail: "no")))
    #expect(adobe(408, code) == .refused("status 408\(shown)", detail: "no"))
  }

  @Test(arguments: [
    (200, DeliveryVerdict.accepted), (206, .accepted), (208, .accepted),
    (401, .turnedAway("status 401", detail: "no")),
    (409, .refused("status 409", detail: "no")), (413, .tooLarge("status 413", detail: "no")),
    (501, .retry("status 501", detail: "no")), (503, .retry("status 503", detail: "no")),
  ])
  func `DeliveryVerdict.adobe returns the expected verdict for each HTTP status`(
    status: Int, verdict: DeliveryVerdict
  ) {
    #expect(verdict == .adobe(HTTPAnswer(status, body: Array("no".utf8)), now: now))
  }

  @Test func `for a proxy's 4xx response, DeliveryVerdict.adobe returns DeliveryVerdict.usual`() {
    let headers = ["proxy-authenticate": "Basic"]
    for status in [400, 408, 422, 499] {
      let answer = HTTPAnswer(status, headers: headers, body: Array("no".utf8))
      #expect(DeliveryVerdict.adobe(answer, now: now) == .usual(for: answer, now: now))
    }
    let failure = HTTPAnswer(500, headers: headers, body: Array("no".utf8))
    #expect(
      DeliveryVerdict.adobe(failure, now: now) == .abandoned("status 500", detail: "no"))
  }
}

extension DeliveryVerdict {
  /// Whether this is the other verdict, whose reason may end in “…” for any words.
  fileprivate func hasForm(of other: DeliveryVerdict) -> Bool {
    let pattern = other.words.reason
    guard pattern.hasSuffix("…") else { return self == other }
    let start = pattern.dropLast()
    let label = Mirror(reflecting: self).children.first?.label
    return words.reason.hasPrefix(start) && words.reason.count > start.count
      && words.detail == other.words.detail
      && label == Mirror(reflecting: other).children.first?.label
  }

  /// Whether the other verdict is the same case with the same reason.
  fileprivate func isOfRoot(_ other: DeliveryVerdict) -> Bool {
    words.reason == other.words.reason && isAcceptance == other.isAcceptance
  }
}
