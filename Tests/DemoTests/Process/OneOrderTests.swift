// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Documented requests` {
  private let demo = Demo()

  @Test func `an order's requests to Google, Adobe and OTLP equal the documented JSON`()
    async throws
  {
    let google = try LoopbackServer(always: .answer(204))
    let adobe = try LoopbackServer(always: .answer(202, body: "{}"))
    let otlp = try LoopbackServer(always: .answer(200, body: "{}"))
    let line = """
      checkout --item mug --item coffee:2 --at 2026-11-20T12:00:00-05:00 --queue waiting \
      --analytics google:G-12345ABCDE@\(google.url)mp/collect \
      --analytics adobe:0123abcd-0123-4567-89ab-0123456789ab@\(adobe.url)ee/v2/collect \
      --analytics otlp:\(otlp.url) --log otlp:\(otlp.url)
      """
    let outcome = try await demo(line: line, environment: ["AMBIENT_GOOGLE_SECRET": "topsecret"])
    #expect(outcome.status == 0)
    let shown = try Self.shown()

    // A slow run may need more than one request.
    let atGoogle = try google.requests.map { try Body([$0]) }
    let googleEvents = atGoogle.flatMap { $0["events"]?.items ?? [] }
    #expect(googleEvents.count == 7)
    #expect(atGoogle.last?.with("events", googleEvents.suffix(1)) == shown[0])

    let adobeEvents = try adobe.requests.flatMap { try Body([$0])["events"]?.items ?? [] }
    #expect(adobeEvents.count == 7)
    #expect(adobeEvents.last == shown[1])

    let bodies = try otlp.requests.map { try Body([$0]) }
    let records = bodies.flatMap { body in
      body["resourceLogs"]?.items.first?["scopeLogs"]?.items.first?["logRecords"]?.items ?? []
    }
    let events = records.filter { $0["eventName"] != nil }
    #expect(events.count == 7)
    #expect(events.last == shown[2])
    let logged = records.filter { $0["eventName"] == nil }
    #expect(logged.contains { $0["body"]?["stringValue"] == Body("order placed") })
  }

  /// The block of JSON of each page.
  private static func shown() throws -> [Body] {
    var root = URL(filePath: #filePath)
    for _ in 1...4 { root.deleteLastPathComponent() }
    return try ["google", "adobe", "opentelemetry"].map { name in
      let page = try String(contentsOf: root.appending(path: "docs/\(name).md"), encoding: .utf8)
      let block = try #require(page.components(separatedBy: "```json\n").dropFirst().first)
      return try Body(json: #require(block.components(separatedBy: "```").first))
    }
  }
}

/// JSON, without what is different in each run: identities and times.
private struct Body: Equatable {
  private let value: NSObject

  init(_ text: String) { value = text as NSString }

  private init(_ value: Any) { self.value = value as? NSObject ?? NSNull() }

  init(json: String) throws {
    var text = json
    for pattern in [
      "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", #"(?<=")[0-9a-f]{20}(?=")"#,
      #"[0-9]+\.[0-9]{4,}"#, "[0-9-]{10}T[0-9:.]+Z", "[0-9]{10,}",
    ] {
      text = text.replacingOccurrences(of: pattern, with: "0", options: .regularExpression)
    }
    self.init(try JSONSerialization.jsonObject(with: Data(text.utf8)))
  }

  init(_ requests: [LoopbackServer.Request]) throws {
    try self.init(json: requests.flatMap(\.lines).joined())
  }

  subscript(name: String) -> Body? { (value as? [String: Any])?[name].map { Body($0) } }

  var items: [Body] { (value as? [Any])?.map { Body($0) } ?? [] }

  /// The same with other items under that name.
  func with(_ name: String, _ items: ArraySlice<Body>) -> Body {
    var members = value as? [String: Any] ?? [:]
    members[name] = items.map(\.value)
    return Body(members)
  }
}
