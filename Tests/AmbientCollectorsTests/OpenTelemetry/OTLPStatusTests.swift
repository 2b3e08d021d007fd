// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `OTLP responses` {
  private let folder = TemporaryFolder()

  @Test(arguments: OTLPSender.allCases, [200, 202, 204])
  func `an OTLP response with status 200, 202 or 204 counts as delivery`(
    sender: OTLPSender, status: Int
  ) async throws {
    let server = try LoopbackServer(always: .answer(status, body: "{}"))
    let sending = try sender.make(folder, to: server)
    sending.send("a", "b")
    await sending.finish()
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.target == "/v1/logs")
    #expect(request.headers["content-type"] == "application/json")
    #expect(sending.status.delivered == 2)
  }

  @Test(arguments: OTLPSender.allCases, [425, 429, 502, 503, 504])
  func `after a 425, 429, 502, 503 or 504, an OTLP request is retried with the same body`(
    sender: OTLPSender, status: Int
  ) async throws {
    let server = try LoopbackServer([
      .answer(status, headers: ["Retry-After": "0"]), .answer(status), .answer(200),
    ])
    let reports = Reports()
    let sending = try sender.make(folder, to: server, reports: reports)
    sending.send("a", "b")
    #expect(await sending.isEmptiedAfterFlush())
    #expect(server.requests.count == 3)
    #expect(Set(server.requests.map(\.body)).count == 1)
    #expect(reports.messages.first?.contains("; 2 \(sender.noun)s wait in the queue") == true)
    #expect(sending.status.delivered == 2)
    #expect(sending.status.lost == [:])
    #expect(sending.status.trouble == nil)
  }

  @Test(arguments: OTLPSender.allCases, [LoopbackServer.Action.reset, .close, .rubbish("no")])
  func `an OTLP request without a valid HTTP response is retried`(
    sender: OTLPSender, action: LoopbackServer.Action
  ) async throws {
    let server = try LoopbackServer([action, .answer(200)])
    let sending = try sender.make(folder, to: server)
    sending.send("a")
    #expect(await sending.isEmptiedAfterFlush())
    #expect(sending.status.delivered == 1)
  }

  @Test(arguments: OTLPSender.allCases, [408, 500, 501, 505, 599])
  func `after an OTLP 408, 500, 501, 505 or 599, events count as lost and aren't retried`(
    sender: OTLPSender, status: Int
  ) async throws {
    let server = try LoopbackServer { _, request in
      request.body.contains("first") ? .answer(status, body: "broken") : .answer(200)
    }
    let reports = Reports()
    let sending = try sender.make(folder, to: server, reports: reports)
    sending.send("first")
    #expect(await sending.isEmptiedAfterFlush())
    sending.send("second")
    await sending.finish()
    #expect(server.requests.count == 2)
    #expect(sending.status.delivered == 1)
    #expect(sending.status.lost == ["status \(status)": 1])
    // Nothing was left to wait.
    #expect(reports.all.map(\.kind) == [.undelivered])
    #expect(reports.messages.first?.hasPrefix("the \(sender.noun) ") == true)
    #expect(reports.messages.first?.contains(": status \(status) (broken); ") == true)
  }

  @Test func `if an OTLP 500 drops the only waiting event, status.trouble becomes nil`()
    async throws
  {
    let server = try LoopbackServer { number, _ in .answer(number == 0 ? 503 : 500) }
    let sending = try OTLPSender.analytics.make(folder, to: server)
    sending.send("a")
    await sending.finish()
    #expect(server.requests.count == 2)
    #expect(sending.status.lost == ["status 500": 1])
    #expect(sending.status.trouble == nil)
    #expect(EventQueue.trouble(in: folder.path("queue")) == nil)
  }

  @Test(arguments: OTLPSender.allCases, [400, 413, 422])
  func `if an OTLP server refuses a record with 400, 413 or 422, the other records arrive`(
    sender: OTLPSender, status: Int
  ) async throws {
    let server = try LoopbackServer { _, request in
      request.body.contains(#""bad""#) ? .answer(status, body: "why") : .answer(200)
    }
    let sending = try sender.make(folder, to: server)
    sending.send("a", "b", "bad", "c")
    await sending.finish()
    #expect(sending.status.delivered == 3)
    #expect(sending.status.lost == ["status \(status)": 1])
  }

  @Test(arguments: OTLPSender.allCases, [301, 401, 402, 403, 404, 405, 407, 410])
  func `after an OTLP 301, 401, 402, 403, 404, 405, 407 or 410, all events are retried`(
    sender: OTLPSender, status: Int
  ) async throws {
    let reports = Reports()
    let server = try LoopbackServer { number, _ in
      number < 3 ? .answer(status, body: "who are you?") : .answer(200)
    }
    let sending = try sender.make(folder, to: server, reports: reports)
    sending.send("a", "b")
    #expect(await sending.isEmptiedAfterFlush())
    #expect(sending.status.delivered == 2)
    #expect(sending.status.lost == [:])
    #expect(reports.all.map(\.kind) == [.undelivered, .recovered])
  }

  @Test func `after a failure, an OTLP response rejecting all records isn't reported as recovery`()
    async throws
  {
    let reports = Reports()
    let transport = ScriptedTransport([
      .answer(503),
      .answer(200, body: #"{"partialSuccess":{"rejectedLogRecords":"9","errorMessage":"old"}}"#),
    ])
    let analytics = try Diagnostics.withInstance(reports) {
      try OTLPAnalytics(transport, folder)
    }
    analytics.track(Event("a"))
    analytics.track(Event("b"))
    await analytics.finish()
    #expect(transport.exchanges.count == 2)
    #expect(analytics.status.delivered == 0)
    #expect(analytics.status.lost == ["refused by the server": 2])
    #expect(analytics.status.trouble == nil)
    #expect(EventQueue.trouble(in: folder.path("queue")) == nil)
    #expect(!reports.all.map(\.kind).contains(.recovered), "\(reports.messages)")
  }

  @Test
  func `an OTLP response that rejects all records removes the trouble file of an earlier run`()
    async throws
  {
    let queue = folder.path("queue")
    let body = #"{"partialSuccess":{"rejectedLogRecords":"9"}}"#
    for answer in [ScriptedTransport.Step.answer(503), .answer(200, body: body)] {
      let transport = ScriptedTransport { _, _ in answer }
      let analytics = try OTLPAnalytics(transport, folder, upload: .prompt)
      analytics.track(Event("a"))
      await analytics.finish()
      #expect((analytics.status.waiting == 0) == (EventQueue.trouble(in: queue) == nil))
    }
    #expect(EventQueue.trouble(in: queue) == nil)
  }

  @Test func `events erased during an OTLP request aren't counted as refused by the server`()
    async throws
  {
    let kept = Guarded<OTLPAnalytics?>(nil)
    let transport = ScriptedTransport { number, _ in
      if number == 0 { return .answer(200) }
      kept.withLock(\.self)?.erase(user: "ada")
      return .answer(200, body: #"{"partialSuccess":{"rejectedLogRecords":"3"}}"#)
    }
    let analytics = try OTLPAnalytics(
      transport, folder,
      upload: UploadOptions().with {
        $0.events = 3
        $0.interval = .seconds(3_600)
      })
    kept.withLock { $0 = analytics }
    for name in ["a", "b", "c"] { analytics.track(Event(name)) }
    #expect(await Patience.waitIdly { analytics.status.delivered == 3 })
    analytics.track(Event("d", user: "ada"))
    analytics.track(Event("e", user: "ada"))
    analytics.track(Event("f"))
    await analytics.finish()
    kept.withLock { $0 = nil }
    #expect(analytics.status.delivered == 3)
    #expect(analytics.status.lost == ["refused by the server": 1])
  }

  @Test(arguments: OTLPSender.allCases, [#""2""#, "2"])
  func `records that an OTLP partial success rejects count as lost and aren't sent again`(
    sender: OTLPSender, count: String
  ) async throws {
    let reports = Reports()
    let server = try LoopbackServer(
      always: .answer(
        200,
        body: #"{"partialSuccess":{"rejectedLogRecords":\#(count),"errorMessage":"too old"}}"#))
    let sending = try sender.make(folder, to: server, reports: reports)
    sending.send("a", "b", "c")
    await sending.finish()
    #expect(server.requests.count == 1)
    #expect(sending.status.delivered == 1)
    // Not by the server's words, which may be of many kinds.
    #expect(sending.status.lost == ["refused by the server": 2])
    #expect(reports.all.map(\.kind) == [.undelivered])
    #expect(reports.messages.first?.contains("refused by the server (too old)") == true)
  }

  @Test(arguments: OTLPSender.allCases, [500, 5_000, 50_000])
  func `rejectedLogRecords is read even at the end of a long OTLP response`(
    sender: OTLPSender, length: Int
  ) async throws {
    let words = String(repeating: "x", count: length)
    let reports = Reports()
    let server = try LoopbackServer(
      always: .answer(
        200, body: #"{"partialSuccess":{"errorMessage":"\#(words)","rejectedLogRecords":"2"}}"#))
    let sending = try sender.make(folder, to: server, reports: reports)
    sending.send("a", "b", "c")
    await sending.finish()
    #expect(sending.status.delivered == 1)
    #expect(sending.status.lost == ["refused by the server": 2])
    #expect(reports.messages.count == 1)
    let message = reports.messages.first ?? ""
    #expect(message.hasPrefix("2 \(sender.noun)s "), "\(message)")
    #expect(message.contains(" refused by the server (\(words.prefix(300)));"), "\(message)")
  }

  private static let long = String(repeating: "x", count: 2_000)

  @Test(arguments: [
    #"{"partialSuccess":{"rejectedLogRecords":"0","errorMessage":"use v2"}}"#,
    #"{"partialSuccess":{"errorMessage":"use v2"}}"#,
    #"{"other":"\#(long)","partialSuccess":{"errorMessage":"use v2"}}"#,
  ])
  func `if an OTLP response has a message but no rejections, the message is reported once`(
    body: String
  ) async throws {
    let reports = Reports()
    let server = try LoopbackServer(always: .answer(200, body: body))
    let sending = try OTLPSender.analytics.make(folder, to: server, reports: reports)
    for name in ["a", "b"] {
      sending.send(name)
      #expect(await sending.isEmptiedAfterFlush())
    }
    #expect(server.requests.count == 2)
    #expect(sending.status.delivered == 2)
    #expect(reports.all.map(\.kind) == [.warned])
    #expect(reports.messages.first?.contains("use v2") == true)
  }

  @Test(arguments: [
    "", "{}", "[]", "rubbish {", #"{"partialSuccess":{}}"#, #"{"partialSuccess":7}"#,
    #"{"partialSuccess":{"rejectedLogRecords":"many"}}"#,
    #"{"partialSuccess":{"rejectedLogRecords":"-1"}}"#,
  ])
  func `an OTLP 200 with an unusable body counts as delivery`(body: String) async throws {
    let reports = Reports()
    let server = try LoopbackServer(always: .answer(200, body: body))
    let sending = try OTLPSender.log.make(folder, to: server, reports: reports)
    sending.send("a", "b")
    await sending.finish()
    #expect(sending.status.delivered == 2)
    #expect(reports.all.isEmpty)
  }

  @Test
  func `a rejectedLogRecords count above the number of sent records is capped at that number`()
    async throws
  {
    let server = try LoopbackServer(
      always: .answer(200, body: #"{"partialSuccess":{"rejectedLogRecords":"999"}}"#))
    let sending = try OTLPSender.log.make(folder, to: server)
    sending.send("a", "b")
    await sending.finish()
    #expect(sending.status.delivered == 0)
    #expect(sending.status.lost == ["refused by the server": 2])
  }

  @Test func `after an OTLP 200 with a web page as its body, the request is retried`() async throws
  {
    let server = try LoopbackServer([
      .answer(200, body: "<!DOCTYPE html><html>sign in"), .answer(200),
    ])
    let sending = try OTLPSender.analytics.make(folder, to: server)
    sending.send("a")
    #expect(await sending.isEmptiedAfterFlush())
    #expect(sending.status.delivered == 1)
    #expect(server.requests.count == 2)
  }
}
