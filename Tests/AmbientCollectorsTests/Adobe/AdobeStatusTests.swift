// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite struct `Adobe responses` {
  private let folder = TemporaryFolder()

  static func problem(_ code: String, _ rest: String = "") -> String {
    #"{"type":"https://ns.adobe.com/aep/errors/\#(code)","title":"why"\#(rest)}"#
  }

  @Test(arguments: [
    (200, "{}"), (202, #"{"requestId":"f567a988-4b3c-45a6-9ed8-f283188a445e"}"#), (204, ""),
    (207, #"{"requestId":"f5","warnings":[{"type":"EXEG-0204-200"}]}"#),
  ])
  func `events count as delivered if Adobe's success response lists no errors`(
    status: Int, body: String
  )
    async throws
  {
    let server = try LoopbackServer(always: .answer(status, body: body))
    let analytics = try AdobeAnalytics.to(server, folder)
    analytics.send("a", "b")
    await analytics.finish()
    #expect(server.requests.count == 1)
    #expect(analytics.status.delivered == 2)
    #expect(analytics.lostEvents == 0)
  }

  @Test(arguments: [
    (#"{"errors":[\#(problem("EXEG-0201-503"))]}"#, 3, "status 207, EXEG-0201-503"),
    (
      #"{"errors":[\#(problem("EXEG-0203-502", #","report":{"eventIndex":1}"#))]}"#, 1,
      "status 207, EXEG-0203-502"
    ),
    (
      #"{"errors":[\#(problem("EXEG-0203-502", #","report":{"eventIndex":1}"#)),"#
        + #"\#(problem("EXEG-0203-502", #","report":{"eventIndex":1}"#)),"#
        + #"\#(problem("EXEG-0203-502", #","report":{"eventIndex":2}"#))]}"#, 2,
      "status 207, EXEG-0203-502"
    ),
    ("", 3, "status 207"), (#"{"errors":["down"]}"#, 3, "status 207"),
    (#"{"errors":{"type":"down"}}"#, 3, "status 207"),
    (#"{"errors":[{"type":"anything"}]}"#, 3, "status 207"),
  ])
  func `events that Adobe's 207 response reports as failed count as lost without a retry`(
    body: String, lost: Int, reason: String
  ) async throws {
    let server = try LoopbackServer(always: .answer(207, body: body))
    let reports = Reports()
    let analytics = try AdobeAnalytics.to(server, folder, reports: reports)
    analytics.send("a", "b", "c")
    await analytics.finish()
    #expect(server.requests.count == 1)
    #expect(analytics.status.delivered == 3 - lost)
    #expect(Array(analytics.status.lost.values) == [lost])
    #expect(analytics.status.lost.keys.first?.hasPrefix(reason) == true)
    #expect(analytics.status.waiting == 0)
    #expect(reports.all.map(\.kind) == [.undelivered])
  }

  @Test func `the index of a failed event is read even at the end of Adobe's long 207 response`()
    async throws
  {
    let words = String(repeating: "x", count: 5_000)
    let rest = #","detail":"\#(words)","report":{"eventIndex":1}"#
    let body = #"{"errors":[\#(Self.problem("EXEG-0203-502", rest))]}"#
    let server = try LoopbackServer(always: .answer(207, body: body))
    let analytics = try AdobeAnalytics.to(server, folder)
    analytics.send("a", "b", "c")
    await analytics.finish()
    #expect(analytics.status.delivered == 2)
    #expect(analytics.status.lost == ["status 207, EXEG-0203-502": 1])
  }

  @Test(arguments: [
    (
      207,
      #"{"errors":[{"type":"EXEG-0201-503","status":503,"title":"The service is down."},"#
        + #"{"type":"EXEG-0203-502","status":502,"title":"No answer.","detail":"Later.","#
        + #""report":{"eventIndex":0,"errors":["one","two"]}},"#
        + #"{"type":"EXEG-0201-503","status":503,"title":"The service is down."}]}"#,
      "status 207, EXEG-0201-503 (status 503; The service is down. | "
        + "status 502; No answer.; Later.; one; two); "
    ),
    (
      500, #"{"type":"EXEG-0001-500","status":500,"title":"It broke."}"#,
      "status 500, EXEG-0001-500 (It broke.); "
    ),
  ])
  func `a report about undelivered events includes the reasons from Adobe's response`(
    status: Int, body: String, said: String
  )
    async throws
  {
    let server = try LoopbackServer(always: .answer(status, body: body))
    let reports = Reports()
    let analytics = try AdobeAnalytics.to(server, folder, reports: reports)
    analytics.send("a")
    await analytics.finish()
    #expect(reports.messages.count == 1)
    #expect(reports.messages.first?.contains(said) == true, "\(reports.messages)")
  }

  @Test(arguments: [
    (400, "EXEG-0306-400"), (408, "EXEG-0109-408"), (409, "EXEG-0302-409"), (413, "EXEG-0112-413"),
    (422, "EXEG-0104-422"), (500, "EXEG-0100-500"),
  ])
  func `an event that makes Adobe refuse a batch counts as lost, and the others arrive`(
    status: Int, code: String
  ) async throws {
    let server = try LoopbackServer { _, request in
      request.body.contains(#""linkName":"bad""#)
        ? .answer(status, body: Self.problem(code)) : .answer(202)
    }
    let analytics = try AdobeAnalytics.to(server, folder)
    analytics.send("a", "b", "bad", "c")
    await analytics.finish()
    #expect(analytics.status.delivered == 3)
    #expect(analytics.lostEvents == 1)
    #expect(analytics.status.lost.keys.first?.hasPrefix("status \(status)") == true)
  }

  @Test func `after Adobe's error EXEG-0001-500, a batch isn't retried and the next batch is sent`()
    async throws
  {
    let server = try LoopbackServer { number, _ in
      number == 0 ? .answer(500, body: Self.problem("EXEG-0001-500")) : .answer(202)
    }
    let analytics = try AdobeAnalytics.to(server, folder)
    analytics.send("a", "b")
    #expect(await analytics.isEmptiedAfterFlush())
    analytics.send("c")
    await analytics.finish()
    #expect(server.requests.count == 2)
    #expect(analytics.status.lost == ["status 500, EXEG-0001-500": 2])
    #expect(analytics.status.delivered == 1)
  }

  @Test
  func
    `with unknownOutcome set to dropped, an Adobe purchase with transaction_id is still retried`()
    async throws
  {
    let transport = ScriptedTransport { number, _ in
      number < 2 ? .failure(.unknown, "the connection was lost") : .answer(202)
    }
    let analytics = try AdobeAnalytics.to(
      transport, folder,
      AdobeOptions().with {
        $0.unknownOutcome = .dropped
        $0.mapping = .shop
      }, upload: .atFlush)
    analytics.send("a", "b")
    let items = [["item_id": "a"] as AmbientFields].ambientValue
    analytics.track(Event("purchase", ["transaction_id": "t", "items": items]))
    analytics.track(Event("purchase", ["items": items]))
    await analytics.finish()
    // The other events, and a purchase that Adobe cannot know again, went with the first.
    #expect(
      analytics.status.lost == ["not known to have arrived": 3])
    #expect(analytics.status.delivered == 1)
    try #require(transport.bodies.count == 3)
    #expect(transport.bodies[1] == transport.bodies[2])
    #expect(transport.bodies[2].contains(#""purchaseID":"t""#))
  }
}
