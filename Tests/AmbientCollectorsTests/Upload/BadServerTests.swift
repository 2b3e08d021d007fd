// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Misbehaving servers` {
  private let folder = TemporaryFolder()

  private static func limited(_ limit: Duration) -> UploadOptions {
    var options = UploadOptions.atFlush
    options.exchange = ExchangeLimits(duration: limit, answerBytes: 10_000)
    return options
  }

  @Test(
    arguments: [
      (LoopbackServer.Action.close, nil), (.hang, "0.3 seconds"),
      (.drip(milliseconds: 20), "0.3 seconds"), (.rubbish("what is that?\r\n\r\n"), "HTTP"),
      (.rubbish("HTTP/1.1 abc\r\n\r\n"), "HTTP"),
      // The alert of a server that speaks TLS: an unexpected message.
      (.rubbish("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{A}"), "https"),
    ] as [(LoopbackServer.Action, String?)])
  func `after an invalid or missing response, events are resent with their original IDs`(
    action: LoopbackServer.Action, part: String?
  ) async throws {
    let reports = Reports()
    let server = try LoopbackServer([action, action])
    let analytics = try Diagnostics.withInstance(reports) {
      let ends = part == "0.3 seconds"
      return try HTTPAnalytics(
        server, folder, upload: Self.limited(ends ? .milliseconds(300) : Patience.long))
    }
    analytics.track(0..<10)
    #expect(await analytics.isEmptiedAfterFlush())
    let requests = server.requests
    #expect(requests.count >= 3)
    #expect(numbers(requests.last?.lines ?? []) == Array(0..<10))
    #expect(ids(requests.last?.lines ?? []) == ids(requests[0].lines))
    #expect(analytics.status.delivered == 10)
    #expect(analytics.status.lost == [:])
    #expect(reports.all.map(\.kind).suffix(1) == [.recovered])
    let first = reports.messages.first ?? ""
    #expect(part.map { first.contains($0) } ?? true, "\(first)")
  }

  @Test func `a 600 MB response isn't read to its end`() async throws {
    let size = 600_000_000
    let server = try LoopbackServer([.flood(size)])
    let analytics = try HTTPAnalytics(server, folder, upload: .atFlush)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(analytics.status.delivered == 3)
    #expect(server.requests.count == 1)
    #expect(server.floodBytes < size / 4)
  }

  @Test(arguments: [
    "X: \(String(repeating: "x", count: 70_000))\r\n\r\n", "HTTP/1.1 500 No\r\nX: 1\r\n\r\n",
  ])
  func `events aren't resent if a 200 response has long or malformed trailers`(
    trailers: String
  ) async throws {
    let head = "HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    let server = try LoopbackServer(always: .steps([.send(Array((head + trailers).utf8))]))
    let analytics = try HTTPAnalytics(server, folder, upload: .atFlush)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(analytics.status.delivered == 3 && server.requests.count == 1)
  }

  @Test
  func `while a server is down, events wait, and once the server is back, they are delivered`()
    async throws
  {
    let reports = Reports()
    let down = try LoopbackServer(always: .answer(200))
    let port = down.port
    down.refuse()
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: "http://127.0.0.1:\(port)/", queue: EventQueue(folder: folder.path("queue"), .small),
        upload: .prompt)
    }
    analytics.track(0..<10)
    analytics.flush()
    #expect(await Patience.waitIdly { !reports.all.isEmpty })
    #expect(analytics.status.waiting == 10)
    #expect(analytics.status.trouble?.reason == TransportError.refused)
    #expect(reports.all.map(\.kind) == [.undelivered])
    analytics.track(10..<20)
    try down.listen()
    #expect(await analytics.isEmptied())
    #expect(analytics.status.delivered == 20)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect to the same server repeats the POST request with the same headers`(status: Int)
    async throws
  {
    let server = try LoopbackServer { number, request in
      request.target == "/new" ? .answer(200) : .answer(status, headers: ["Location": "/new"])
    }
    let analytics = try HTTPAnalytics(
      server, folder, headers: ["X-Key": "secret"], upload: .atFlush)
    analytics.track(0..<5)
    await analytics.finish()
    #expect(server.requests.map(\.target) == ["/", "/new"])
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.requests.map { numbers($0.lines) } == [Array(0..<5), Array(0..<5)])
    #expect(server.requests.last?.headers["x-key"] == "secret")
    #expect(analytics.status.delivered == 5)
  }

  @Test(arguments: ["", "localhost"])
  func `a redirect to another origin isn't followed and is reported`(host: String) async throws {
    let reports = Reports()
    let other = try LoopbackServer(always: .answer(200))
    let server = try LoopbackServer { [port = other.port] number, request in
      // The server itself, by another name; or another one.
      let own = request.headers["host"]?.split(separator: ":").last ?? ""
      let target = host.isEmpty ? "127.0.0.1:\(port)" : "\(host):\(own)"
      let headers = ["Location": "http://\(target)/?secret=1"]
      return number < 2 ? .answer(307, headers: headers) : .answer(200)
    }
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(server, folder, headers: ["X-Key": "secret"], upload: .atFlush)
    }
    analytics.track(0..<5)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(other.requests.isEmpty)
    #expect(server.requests.count == 3)
    #expect(analytics.status.delivered == 5)
    #expect(reports.messages.first?.hasPrefix("status 3") == true, "\(reports.messages)")
    #expect(reports.messages.first?.contains("secret") == false)
  }

  @Test func `events are resent if a 200 response is a web page`() async throws {
    let page = LoopbackServer.Action.answer(200, body: "\n<!DOCTYPE HTML><title>Log in</title>")
    let server = try LoopbackServer([page])
    let analytics = try HTTPAnalytics(server, folder, upload: .atFlush)
    analytics.track(0..<5)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    (["Location": "/"], 7, " (to /)"), ([:], 2, "Location"), (["Location": ""], 2, "Location"),
    (["Location": "//elsewhere.example/"], 2, " (to "),
  ])
  func `an endless or invalid redirect is reported, and the events are resent`(
    headers: [String: String], requests: Int, part: String
  ) async throws {
    let reports = Reports()
    let server = try LoopbackServer { number, _ in
      number < requests - 1 ? .answer(307, headers: headers, body: "moved") : .answer(200)
    }
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(server, folder, upload: .atFlush)
    }
    analytics.track(0..<5)
    #expect(await analytics.isEmptiedAfterFlush())
    #expect(server.requests.count == requests)
    let report = reports.messages.first ?? ""
    #expect(report.hasPrefix("status 307, ") && report.contains(part), "\(report)")
  }

  @Test func `an https URL of a server that doesn't speak TLS is reported`() async throws {
    let reports = Reports()
    let server = try LoopbackServer(always: .answer(200))
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: "https://127.0.0.1:\(server.port)/",
        queue: EventQueue(folder: folder.path("queue"), .small), upload: .prompt)
    }
    analytics.track(0..<3)
    analytics.flush()
    #expect(await Patience.waitIdly { !reports.all.isEmpty })
    #expect(analytics.status.trouble?.reason.hasPrefix(TransportError.noTLS) == true)
  }
}
