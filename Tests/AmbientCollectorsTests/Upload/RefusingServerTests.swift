// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

/// A destination whose requests contain events of one name.
private struct Grouped: LineDestination {
  let name = "Grouped"
  let limits = RequestLimits(events: 100, bytes: 100_000)

  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    let text = String(decoding: record, as: UTF8.self)
    return EventEntry(
      record, group: text.firstMatch(of: /"event":"([a-z]+)"/).map { String($0.1) } ?? "")
  }
}

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Servers that refuse events` {
  private let folder = TemporaryFolder()

  @Test(arguments: [400, 413])
  func `a server that refuses everything gets few requests, and no event is lost`(
    status: Int
  ) async throws {
    let time = try VirtualTime.current
    let start = Time.now
    let transport = ScriptedTransport { _, _ in
      Time.now.timeIntervalSince(start) < 3_600 ? .answer(status, body: "what?") : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<1_000)
    try await time.advance(by: .seconds(3_599))
    #expect(analytics.lostEvents == 0)
    #expect(analytics.status.waiting == 1_000)
    #expect(transport.exchanges.count < 400, "\(transport.exchanges.count) requests")
    if status == 400 {
      // Halves until the 101st single event is refused, and then a wait.
      #expect(transport.seconds.count { $0 == 0 } == 206)
      #expect(transport.exchanges.prefix(206).count { $0.lines.count == 1 } == 101)
    }
    #expect(analytics.status.trouble?.reason == Self.never(status))
    #expect(EventQueue.trouble(in: folder.path("queue"))?.reason == Self.never(status))
    try await time.advance(by: .seconds(601))
    #expect(analytics.status.delivered == 1_000)
    #expect(analytics.lostEvents == 0)
    #expect(analytics.status.trouble == nil)
  }

  private static func never(_ status: Int) -> String {
    let end = UploadLoop.words(of: .ofEveryEvent, "event", isKnown: false)
    return "status \(status)\(end) (what?); check url, headers and query"
  }

  @Test func `if a working server starts to refuse all events, the refused events are kept`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { number, _ in .answer(number == 0 ? 200 : 422) }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<20)
    try await time.advance(by: .seconds(5))
    #expect(analytics.status.delivered == 20)
    analytics.track(20..<30)
    try await time.advance(by: .seconds(86_400))
    #expect(analytics.status.waiting == 10)
    #expect(analytics.lostEvents == 0)
    #expect(transport.exchanges.count < 2_000, "\(transport.exchanges.count) requests")
    let end = UploadLoop.words(of: .ofEveryEvent, "event", isKnown: true)
    #expect(analytics.status.trouble?.reason == "status 422\(end); check url, headers and query")
  }

  @Test
  func `if the only event sent is refused, the event is kept until another event is accepted`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in .answer(numbers(lines).contains(1) ? 400 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    for number in 0..<2 {
      analytics.track(number..<(number + 1))
      try await time.advance(by: .seconds(3_600))
    }
    #expect(analytics.status.delivered == 1)
    #expect(analytics.status.waiting == 1)
    let end = UploadLoop.words(of: .ofOnlyEvent, "event", isKnown: true)
    #expect(analytics.status.trouble?.reason == "status 400\(end)")
    #expect(analytics.lostEvents == 0)
    analytics.track(2..<3)
    try await time.advance(by: .seconds(600))
    #expect(analytics.status.delivered == 2)
    #expect(analytics.status.lost == ["status 400": 1])
    #expect(analytics.status.trouble == nil)
  }

  @Test func `if the first event is refused, status.trouble says that no event was ever accepted`()
    async throws
  {
    let time = try VirtualTime.current
    let analytics = try HTTPAnalytics(ScriptedTransport { _, _ in .answer(400) }, folder)
    analytics.track(0..<1)
    try await time.advance(by: .seconds(60))
    let end = UploadLoop.words(of: .ofOnlyEvent, "event", isKnown: false)
    #expect(analytics.status.trouble?.reason == "status 400\(end); check url, headers and query")
  }

  @Test
  func `after another event is accepted, a refused event is resent before it counts as lost`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in .answer(numbers(lines).contains(0) ? 400 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<4)
    try await time.advance(by: .seconds(5))
    #expect(
      transport.exchanges.map { numbers($0.lines) }
        == [[0, 1, 2, 3], [0, 1], [0], [1], [0], [2, 3]])
    #expect(analytics.status.lost == ["status 400": 1])
    #expect(analytics.status.delivered == 3)
  }

  @Test(arguments: [1, 4, 7])
  func `if a server recovers while a batch is split to find a bad event, no event is lost`(
    refusals: Int
  ) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { number, _ in .answer(number < refusals ? 400 : 200) }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<4)
    try await time.advance(by: .seconds(600))
    #expect(analytics.status.delivered == 4)
    #expect(analytics.lostEvents == 0)
  }

  @Test
  func `if a server starts to refuse all events while a batch is split, at most 100 are lost`()
    async throws
  {
    let time = try VirtualTime.current
    // The halves without the last one are accepted before it is broken.
    let transport = ScriptedTransport { number, _ in .answer(number == 1 ? 200 : 400) }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<1_000)
    try await time.advance(by: .seconds(3_600))
    #expect(analytics.status.delivered == 500)
    #expect(analytics.lostEvents == 100)
    #expect(analytics.status.waiting == 400)
  }

  @Test func `of 150 bad events in a row, 100 count as lost, and all good events are delivered`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      .answer(numbers(lines).contains { $0 < 150 } ? 400 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<300)
    try await time.advance(by: .seconds(600))
    #expect(analytics.status.delivered == 150 && analytics.lostEvents == 100)
    #expect(analytics.status.waiting == 50)
  }

  @Test(arguments: [302, 403, 404, 406, 407, 408, 429, 502, 504, nil])
  func `an event that always fails delays other events by an hour at most`(
    status: Int?
  ) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      guard numbers(lines).contains(7) else { return .answer(200) }
      return status.map { .answer($0) } ?? .failure(.unknown, "the connection was lost")
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<1_000)
    try await time.advance(by: .seconds(3_600))
    #expect(analytics.status.delivered == 999 && analytics.lostEvents == 0)
    #expect(analytics.status.setAside.values.reduce(0, +) == 1)
    for _ in 0..<20 {
      analytics.track(1_000..<1_001)
      try await time.advance(by: .seconds(67))
    }
    #expect(analytics.status.delivered == 1_019 && analytics.lostEvents == 0)
    #expect(transport.exchanges.count < 100, "\(transport.exchanges.count) requests")
  }

  @Test(arguments: [400, 403, 503])
  func `batches that always fail delay later events by two hours at most`(status: Int) async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      .answer(numbers(lines).contains { $0 < 300 } ? status : 200)
    }
    let analytics = try HTTPAnalytics(
      transport, folder, EventQueue.Options(),
      upload: UploadOptions().with {
        $0.events = 100
        $0.interval = .seconds(1)
      })
    analytics.track(0..<500)
    try await time.advance(by: .seconds(7_200))
    #expect(analytics.status.delivered == 200)
    // New events are no longer held back.
    for round in 1...10 {
      analytics.track(500..<510)
      try await time.advance(by: .seconds(1_200))
      #expect(analytics.status.delivered == 200 + 10 * round, "round \(round)")
    }
  }

  @Test func `if only one of two events gets a 429, Retry-After still delays the next request`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      numbers(lines).contains(0) ? .answer(429, headers: ["retry-after": "200"]) : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<2)
    try await time.advance(by: .seconds(3_600))
    #expect(analytics.status.delivered == 1)
    for (index, exchange) in transport.exchanges.dropLast().enumerated()
    where numbers(exchange.lines).contains(0) {
      #expect(transport.seconds[index + 1] - transport.seconds[index] >= 200)
    }
  }

  @Test func `after a day of failures, waiting events are delivered in batches, not one by one`()
    async throws
  {
    let time = try VirtualTime.current
    let start = Time.now
    let transport = ScriptedTransport { _, _ in
      .answer(Time.now.timeIntervalSince(start) < 86_400 ? 503 : 200)
    }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<5_000)
    try await time.advance(by: .seconds(86_400))
    let before = transport.exchanges.count
    #expect(before < 1_000, "\(before) requests")
    try await time.advance(by: .seconds(900))
    #expect(analytics.status.delivered == 5_000)
    let after = transport.exchanges.count - before
    #expect(after < 150, "\(after) requests")
  }

  @Test func `a bad event counts as refused once an event of another group is accepted`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport { _, lines in
      .answer(lines.joined().contains("bad") ? 400 : 204)
    }
    let analytics = try QueuedAnalytics(Grouped(), transport, folder, upload: .unhurried)
    for name in ["bad", "good", "better"] { analytics.track(Event(name)) }
    try await time.advance(by: .seconds(5))
    #expect(transport.exchanges.count == 4)
    #expect(analytics.status.lost == ["status 400": 1])
    #expect(analytics.status.delivered == 2)
  }

  private let known = reason(isKnown: true, "url, headers and query")
  private let new = reason(isKnown: false, "url, headers and query")

  private static func reason(isKnown: Bool, _ settings: String) -> String {
    let end = UploadLoop.words(of: .ofEveryEvent, "event", isKnown: isKnown)
    return "status 400\(end); check \(settings)"
  }

  /// Why two events could not be delivered; nil if they were.
  private func trouble(of analytics: QueuedAnalytics) async -> String? {
    analytics.track(0..<2)
    await analytics.finish()
    return analytics.status.trouble?.reason
  }

  @Test func `for each table, a queue remembers whether the server has ever accepted an event`()
    async throws
  {
    let reports = Reports()
    func reason(_ table: String, _ status: Int) async throws -> String? {
      let analytics = try Diagnostics.withInstance(reports) {
        try HTTPAnalytics(
          url: "http://ada:\(table)\(status)@events.example/",
          queue: EventQueue(folder: folder.path("q")),
          options: HTTPOptions().with {
            $0.query = ["query": "INSERT INTO \(table) FORMAT JSONEachRow"]
          }, transport: ScriptedTransport { _, _ in .answer(status) })
      }
      return await trouble(of: analytics)
    }
    #expect(try await reason("a", 400) == new)
    #expect(try await reason("a", 200) == nil)
    #expect(try await reason("a", 400) == known)
    #expect(try await reason("b", 400) == new)
    #expect(try await reason("b", 200) == nil)
    #expect(try await reason("b", 400) == known)
    #expect(try await reason("a", 400) == known)
    let file = folder.path("q/accepted")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try folder.text("q/accepted").wholeMatch(of: /([0-9a-f-]{36}\n){2}/) != nil)
    for text in ["", "rubbish", "\u{0}"] {
      try folder.write(text, to: "q/accepted")
      #expect(try await reason("b", 400) == new)
    }
  }

  @Test(arguments: [
    ("http://a.example/?query=one", "http://a.example/?query=two", true),
    ("http://a.example/?database=one", "http://a.example/?database=two", true),
    ("http://a.example/?table=one", "http://a.example/?table=two", true),
    ("http://a.example/one", "http://a.example/two", true),
    ("http://a.example/", "http://b.example/", true),
    ("http://a.example/", "http://a.example:8123/", true),
    ("http://a.example/", "https://a.example/", true),
    ("http://a.example/?password=one", "http://a.example/?password=two", false),
    ("http://ada:one@a.example/", "http://bob:two@a.example/", false),
  ])
  func `a changed URL or table counts as a new server, but a changed login doesn't`(
    first: String, second: String, isNew: Bool
  ) async throws {
    func reason(_ url: String, _ status: Int) async throws -> String? {
      let analytics = try HTTPAnalytics(
        url: url, queue: EventQueue(folder: folder.path("q"), .small),
        transport: ScriptedTransport { _, _ in .answer(status) })
      return await trouble(of: analytics)
    }
    #expect(try await reason(first, 200) == nil)
    #expect(try await reason(first, 400) == known)
    #expect(try await reason(second, 400) == (isNew ? new : known))
  }

  @Test func `another ClickHouse database or table on the same host counts as a new server`()
    async throws
  {
    func reason(_ table: String, _ status: Int) async throws -> String? {
      let analytics = try HTTPAnalytics.clickHouse(
        url: "http://a.example/", table: ClickHouseTable(table),
        queue: EventQueue(folder: folder.path("q"), .small),
        options: ClickHouseOptions().with { $0.looksAtTable = false },
        transport: ScriptedTransport { _, _ in .answer(status) })
      return await trouble(of: analytics)
    }
    let settings = "url, table, user, password and settings"
    let new = Self.reason(isKnown: false, settings)
    #expect(try await reason("one.events", 200) == nil)
    #expect(try await reason("one.events", 400) == Self.reason(isKnown: true, settings))
    for table in ["two.events", "one.visits"] { #expect(try await reason(table, 400) == new) }
  }

  @Test func `after a server stops answering 413, requests grow again`() async throws {
    let time = try VirtualTime.current
    let isStrict = Guarded(true)
    let transport = ScriptedTransport { _, lines in
      .answer(isStrict.withLock { $0 } && lines.count > 10 ? 413 : 200)
    }
    let analytics = try HTTPAnalytics(
      transport, folder, EventQueue.Options(),
      upload: UploadOptions().with {
        $0.events = 80
        $0.interval = .seconds(1)
      })
    func send(_ count: Int) async throws -> [Int] {
      let before = transport.exchanges.count
      analytics.track(0..<count)
      try await time.advance(by: .seconds(10))
      return transport.exchanges.dropFirst(before).map(\.lines.count)
    }
    _ = try await send(80)
    // It tries a larger one rarely, and more and more so.
    let counts = try await send(8_000)
    let refused = counts.count { $0 > 10 }
    #expect((2...12).contains(refused), "\(refused) were too large")
    isStrict.withLock { $0 = false }
    #expect(try await send(20_000).max() == 80)
    #expect(try await send(800).allSatisfy { $0 > 40 })
    #expect(analytics.status.delivered == 28_880)
  }

  @Test(arguments: [true, false])
  func `even if the queue changes, no request is sent before Retry-After has passed`(isErased: Bool)
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.answer(429, headers: ["retry-after": "100"])])
    let consent = Consent([.analytics: .granted])
    let analytics = try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("q"), consent: consent), transport: transport)
    analytics.track(Event("numbered", ["number": 0], user: "ada"))
    analytics.track(1..<3)
    try await time.advance(by: .seconds(20))
    #expect(transport.exchanges.count == 1)
    if isErased {
      #expect(analytics.erase(user: "ada") == 1)
    } else {
      consent.set(.denied, for: .analytics)
      consent.set(.granted, for: .analytics)
      analytics.track(1..<3)
    }
    analytics.flush()
    try await time.advance(by: .seconds(80))
    #expect(transport.exchanges.count == 1)
    try await time.advance(by: .seconds(10))
    #expect(transport.exchanges.map { numbers($0.lines) } == [[0, 1, 2], [1, 2]])
    #expect(transport.seconds == [0, 100])
  }

  @Test func `a report hides a secret that is cut off at the end of a response excerpt`()
    async throws
  {
    let time = try VirtualTime.current
    let secret = "4f9d8a7b6c5e4f3a2b1c0d9e8f7a6b5c"
    let body = String(repeating: "x", count: 285) + secret + "more"
    let transport = ScriptedTransport { _, _ in .answer(503, body: body) }
    let analytics = try HTTPAnalytics(
      url: "http://events.example/", queue: EventQueue(folder: folder.path("q")),
      options: HTTPOptions().with { $0.headers = ["X-Key": secret] }, transport: transport)
    analytics.track(0..<1)
    try await time.advance(by: .seconds(5))
    let reason = analytics.status.trouble?.reason ?? ""
    #expect(reason.hasPrefix("status 503 (xxx") && !reason.contains("4f9d"), "\(reason)")
  }
}
