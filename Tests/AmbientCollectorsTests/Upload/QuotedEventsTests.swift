// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite struct `Redaction of quoted events` {
  private let folder = TemporaryFolder()

  /// What reports, status and folder show where the server answers so.
  private func shown(
    _ answer: String, of events: Event...
  ) async throws -> String {
    let reports = Reports()
    return try await Diagnostics.withInstance(reports) {
      let analytics = try HTTPAnalytics(
        ScriptedTransport { _, _ in .answer(503, body: answer) }, folder, upload: .atFlush)
      for event in events { analytics.track(event) }
      await analytics.finish()
      let kept = EventQueue.trouble(in: folder.path("queue"))?.reason ?? ""
      return "\(reports.messages) \(analytics.status) \(kept)"
    }
  }

  private let event = Event(
    "sign_up",
    [
      "name": "Ann O'Neill", "phone": 4_915_112_345, "city": "Köln", "note": "line\n\"zwei\"",
      "deep": .fields(["list": .array(["Anna", .fields(["street": "Анна"])])]),
    ], user: AnalyticsUser("ada-77", ["mail": "ann@shop.example"]))

  @Test(arguments: [
    #"cannot parse {"name":"Ann O'Neill","phone":4915112345,"city":"Köln"}, row 1"#,
    #"cannot parse {\"name\":\"Ann O'Neill\",\"city\":\"K\u00f6ln\"}: ada-77, row 1"#,
    "cannot parse “Ann”, “O’Neill”, «Köln», “Анна”, “Anna”; ann@shop.example, zwei, row 1",
    "cannot parse &quot;Ann O&#39;Neill&quot; or K%C3%B6ln of user ada, row 1",
  ])
  func `if a server's message quotes an event, the report hides the event's values`(answer: String)
    async throws
  {
    let text = try await shown(answer, of: event)
    #expect(text.contains("cannot parse") && text.contains("row 1"), "\(text)")
    for word in ["Ann", "Neill", "4915112345", "Köln", "ada", "shop.", "Анна", "zwei", "%B6"] {
      #expect(!text.contains(word), "\(word): \(text)")
    }
  }

  @Test func `if a server's message quotes an event, the report shows event and field names`()
    async throws
  {
    let text = try await shown("no column phone for sign_up of Ann", of: event)
    #expect(text.contains("no column phone for sign_up of …"), "\(text)")
  }

  @Test func `if a server's message cuts off an event's value, the report hides the partial value`()
    async throws
  {
    let text = try await shown("cannot parse Nei", of: event)
    #expect(text.contains("(cannot parse …)"), "\(text)")
  }

  @Test func `the report of a refused event hides the event's values in the server's message`()
    async throws
  {
    let reports = Reports()
    // Blamed, since the server accepts the other one.
    let transport = ScriptedTransport { _, lines in
      lines.contains { $0.contains("Ann") } ? .answer(400, body: "no room for Ann") : .answer(200)
    }
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(transport, folder, upload: .atFlush)
    }
    analytics.track(event)
    analytics.track(Event("other"))
    await analytics.finish()
    #expect(analytics.status.lost == ["status 400": 1])
    #expect(reports.messages.contains { $0.contains("status 400 (no room for …)") }, "\(reports)")
  }

  @Test func `a detail from a custom verdict closure is reported on one line without event values`()
    async throws
  {
    let reports = Reports()
    let answer = "no room\nfor Ann, whose key is topsecret \(String(repeating: "x", count: 400))"
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: "http://events.example/", queue: EventQueue(folder: folder.path("queue"), .small),
        options: HTTPOptions().with { $0.headers = ["X-Key": "topsecret"] }, upload: .atFlush,
        judging: { .partlyAccepted(refused: 1, reason: "in the body", detail: $0.text) },
        transport: ScriptedTransport { _, _ in .answer(200, body: answer) })
    }
    analytics.track(event)
    await analytics.finish()
    #expect(analytics.status.lost == ["in the body": 1])
    let report = try #require(reports.messages.first)
    #expect(report.contains("(no room for …, whose key is … x"), "\(report)")
    #expect(!report.contains("topsecret") && !report.contains(String(repeating: "x", count: 301)))
  }

  @Test func `if a server's message quotes a log record, the report hides the record's words`()
    async throws
  {
    let reports = Reports()
    let log = try OTLPSender.log.make(
      folder,
      transport: ScriptedTransport { _, _ in .answer(503, body: "what is Ann's paid for?") },
      reports: reports, upload: .atFlush)
    log.send("paid by Ann")
    await log.finish()
    #expect(reports.messages.first?.contains("(what is …'s … for?)") == true, "\(reports.messages)")
  }
}
