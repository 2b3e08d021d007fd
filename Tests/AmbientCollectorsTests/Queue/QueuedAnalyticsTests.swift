// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite(.quiet) struct `Queued analytics` {
  private let folder = TemporaryFolder()

  private func analytics(
    _ transport: ScriptedTransport, _ name: String = "q", clientID: String? = nil,
    consent: Consent? = nil, upload: UploadOptions = .prompt
  ) throws -> HTTPAnalytics {
    try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(
        folder: folder.path(name), EventQueue.Options().with { $0.clientID = clientID },
        consent: consent),
      upload: upload, transport: transport)
  }

  @Test func `upload options out of range are clamped to the nearest valid value`() async throws {
    var options = UploadOptions()
    options.events = -1
    options.bytes = -1
    options.longestBackoff = .seconds(-1)
    options.exchange.answerBytes = -1
    options.exchange.duration = .seconds(Int64.max)
    let transport = ScriptedTransport([])
    let analytics = try analytics(transport, upload: options)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(transport.exchanges.map { numbers($0.lines) } == [[0], [1], [2]])
  }

  @Test func `creating a second collector on the same EventQueue throws queueTaken`() async throws {
    let queue = try EventQueue(folder: folder.path("shared"), .small)
    func make() throws -> HTTPAnalytics {
      try HTTPAnalytics(
        url: "http://events.example/", queue: queue, transport: ScriptedTransport([]))
    }
    let first = try make()
    let error = try #require(throws: CollectorError.self) { try make() }
    #expect(error == .queueTaken(folder: queue.folder))
    first.track(0..<3)
    await first.finish()
    #expect(first.status.delivered == 3)
  }

  @Test(arguments: [1, 2]) func `a report of a failed upload names the number of waiting events`(
    count: Int
  ) async throws {
    let reports = Reports()
    try await Diagnostics.withInstance(reports) {
      let analytics = try analytics(
        ScriptedTransport { _, _ in .answer(503) }, upload: .atFlush)
      analytics.track(0..<count)
      await analytics.finish()
    }
    #expect(reports.all.map(\.kind) == [.undelivered])
    #expect(reports.messages.first?.contains("; \(count) ") == true, "\(reports.messages)")
  }

  @Test func `undelivered events are sent after the next start of the program`() async throws {
    let down = ScriptedTransport { _, _ in .failure(.unsent, "the connection was refused") }
    let first = try analytics(down, upload: .atFlush)
    first.track(0..<10)
    await first.finish()
    #expect(first.status.waiting == 10)
    #expect(first.lostEvents == 0)
    #expect(down.exchanges.count == 10)
    #expect(EventQueue.trouble(in: folder.path("q"))?.reason == "the connection was refused")
    let up = ScriptedTransport([])
    let second = try analytics(up)
    second.track(10..<12)
    await second.finish()
    #expect(numbers(up.exchanges.flatMap(\.lines)) == Array(0..<12))
    #expect(EventQueue.trouble(in: folder.path("q")) == nil)
  }

  @Test func `a shutdown delivers events of an earlier program start even without new events`()
    async throws
  {
    let first = try analytics(ScriptedTransport { _, _ in .hang }, upload: UploadOptions())
    first.track(0..<3)
    await first.shutdown(deadline: .now)
    let up = ScriptedTransport([])
    await (try analytics(up)).finish()
    #expect(numbers(up.exchanges.flatMap(\.lines)) == [0, 1, 2])
  }

  @Test func `a shutdown ends by its deadline if the server hangs`() async throws {
    let server = try LoopbackServer(always: .hang)
    let analytics = try HTTPAnalytics(server, folder)
    analytics.track(0..<3)
    await analytics.shutdown(deadline: .now + .milliseconds(200))
    #expect(analytics.status.waiting == 3)
    #expect(analytics.status.delivered == 0)
  }

  @Test func `events tracked after shutdown are counted as lost`() async throws {
    let analytics = try analytics(ScriptedTransport([]))
    await analytics.finish()
    analytics.track(0..<2)
    #expect(analytics.lostEvents == 2)
    #expect(analytics.status.lost == ["the queue was closed": 2])
  }

  @Test func `each event that is tracked during a shutdown counts as delivered, waiting or lost`()
    async throws
  {
    for name in ["first", "second", "third"] {
      let analytics = try analytics(
        ScriptedTransport { _, _ in .failure(.unsent, "no network") }, name)
      let hasEnded = Guarded(false)
      let tracking = Task {
        var tracked = 0
        while !hasEnded.withLock({ $0 }) {
          analytics.track(tracked..<(tracked + 1))
          tracked += 1
          await Task.yield()
        }
        return tracked
      }
      await analytics.shutdown(deadline: .now + .milliseconds(100))
      hasEnded.withLock { $0 = true }
      let tracked = await tracking.value
      let status = analytics.status
      #expect(status.delivered + status.waiting + analytics.lostEvents == tracked)
      #expect(try QueueSummary(folder: folder.path(name)).waiting?.count == status.waiting)
    }
  }

  @Test func `creating a collector doesn't read any ambient instance`() throws {
    AmbientScope.isolated {
      let reports = Reports()
      Diagnostics.instance = reports
      _ = try? analytics(ScriptedTransport([]))
      Time.instance = FixedTime(at: Date(timeIntervalSinceReferenceDate: 0))
      #expect(reports.all.isEmpty)
    }
  }

  @Test func `if consent is denied, waiting events are removed and new events are withheld`()
    async throws
  {
    let consent = Consent([.analytics: .granted])
    let down = ScriptedTransport { number, _ in number == 0 ? .answer(503) : .answer(200) }
    let analytics = try analytics(
      down, consent: consent,
      upload: UploadOptions().with {
        $0.events = 1
        $0.backoff = .seconds(3_600)
      })
    analytics.track(0..<5)
    #expect(await Patience.waitIdly { down.exchanges.count == 1 })
    consent.set(.denied, for: .analytics)
    #expect(analytics.status.waiting == 0)
    #expect(!analytics.isEnabled)
    analytics.track(5..<8)
    consent.set(.granted, for: .analytics)
    analytics.track(8..<10)
    await analytics.finish()
    #expect(numbers(down.exchanges.dropFirst().flatMap(\.lines)) == [8, 9])
    #expect(analytics.status.withheld == 5)
    #expect(analytics.lostEvents == 0)
  }

  @Test func `events wait while consent is pending, also across a restart`() async throws {
    let consent = Consent()
    let transport = ScriptedTransport([])
    let first = try analytics(transport, consent: consent)
    first.track(0..<3)
    first.flush()
    await first.finish()
    #expect(transport.exchanges.isEmpty)
    let second = try analytics(transport, consent: consent)
    second.track(3..<5)
    consent.set(.granted, for: .analytics)
    #expect(await second.isEmptied())
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == Array(0..<5))
  }

  @Test func `starting a collector with denied consent removes the events in the queue`()
    async throws
  {
    let first = try analytics(ScriptedTransport { _, _ in .hang }, upload: UploadOptions())
    first.track(0..<3)
    await first.shutdown(deadline: .now)
    let second = try analytics(ScriptedTransport([]), consent: Consent([.analytics: .denied]))
    #expect(second.status.waiting == 0)
    #expect(second.status.withheld == 3)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `erasing a user's events also removes events that wait for a retry`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.answer(503)])
    let analytics = try analytics(transport, upload: UploadOptions().with { $0.events = 6 })
    for number in 0..<6 {
      analytics.track(
        Event("numbered", ["number": number], user: number % 2 == 0 ? "ada" : "bob"))
    }
    try await time.advance(by: .zero)
    #expect(transport.exchanges.count == 1)
    #expect(analytics.erase(user: "ada") == 3)
    try await time.advance(by: .seconds(60))
    #expect(transport.exchanges.map { numbers($0.lines) } == [Array(0..<6), [1, 3, 5]])
    #expect(analytics.status.waiting == 0)
    #expect(analytics.status.delivered == 3)
  }

  @Test func `after a destination change, waiting events go to the new destination, with a report`()
    async throws
  {
    let reports = Reports()
    func start(_ address: String, tracking events: Range<Int>) async throws -> DeliveryStatus {
      let isOther = address == "other"
      let analytics = try Diagnostics.withInstance(reports) {
        try HTTPAnalytics(
          url: "http://\(address).example/", queue: EventQueue(folder: folder.path("q")),
          upload: .atFlush, transport: ScriptedTransport { _, _ in .answer(isOther ? 200 : 401) })
      }
      analytics.track(events)
      await analytics.finish()
      return analytics.status
    }
    #expect(try await start("one", tracking: 0..<3).waiting == 3)
    #expect(try await start("one", tracking: 3..<4).waiting == 4)
    let before = reports.messages.count
    #expect(try await start("other", tracking: 0..<0).delivered == 4)
    let report = reports.all.dropFirst(before).first
    #expect(report?.kind == .warned && report?.source == "HTTPAnalytics http://other.example/")
    #expect(
      report?.message
        == EventQueue.redirected(
          4, "event", in: folder.path("q"), from: "HTTPAnalytics http://one.example/"))
    #expect(try await start("one", tracking: 0..<0).waiting == 0)
    #expect(!reports.all.dropFirst(before + 1).contains { $0.kind == .warned })
  }

  @Test func `a queue creates and keeps a client ID of two numbers`() throws {
    let first = try analytics(ScriptedTransport([])).queue.clientID
    #expect(first.wholeMatch(of: /[1-9][0-9]*\.[1-9][0-9]*/) != nil)
    #expect(try analytics(ScriptedTransport([])).queue.clientID == first)
    #expect(try analytics(ScriptedTransport([]), "r").queue.clientID != first)
    #expect(try analytics(ScriptedTransport([]), "s", clientID: "mine").queue.clientID == "mine")
    try folder.write("not an id\n", to: "q/client-id")
    #expect(try analytics(ScriptedTransport([])).queue.clientID != "not an id")
  }

  @Test(arguments: [
    ("!", true), ("~", true), ("a b", false), ("a\u{7F}", false), ("é", false), ("", false),
    (String(repeating: "x", count: 200), true), (String(repeating: "x", count: 201), false),
  ])
  func `a stored client ID is used only if it has 1 to 200 visible ASCII characters`(
    id: String, isTaken: Bool
  ) throws {
    try folder.makeFolder("q")
    try folder.write(" \(id)\r\n", to: "q/client-id")
    let found = try analytics(ScriptedTransport([])).queue.clientID
    #expect((found == id) == isTaken)
    #expect(isTaken || found.wholeMatch(of: /[1-9][0-9]{0,9}\.[1-9][0-9]{0,9}/) != nil)
    #expect(try folder.text("q/client-id").contains(found))
  }

  @Test func `a queue folder can't be shared by two collectors`() throws {
    let first = try analytics(ScriptedTransport([]))
    let opened = #expect(throws: CollectorError.self) { try analytics(ScriptedTransport([])) }
    #expect(opened?.code == .queueInUse)
    #expect(throws: CollectorError.queueTaken(folder: first.queue.folder)) {
      try HTTPAnalytics(url: "http://events.example/", queue: first.queue)
    }
  }

  @Test func `a full queue drops and counts its oldest events`() async throws {
    var options = EventQueue.Options()
    options.capacity = 65_536
    let transport = ScriptedTransport([])
    let consent = Consent()
    let analytics = try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("q"), options, consent: consent), upload: .prompt,
      transport: transport)
    analytics.track(0..<2_000)
    let long = String(repeating: "x", count: 30_000)
    analytics.track(Event("long", ["text": long]))
    consent.set(.granted, for: .analytics)
    await analytics.finish()
    let lost = analytics.lostEvents - 1
    #expect(lost > 0)
    #expect(analytics.status.lost == ["the queue was full": lost, "too long for the queue": 1])
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == Array(lost..<2_000))
  }

  @Test func `one of several collectors delivers its events even if the others fail or hang`()
    async throws
  {
    let down = ScriptedTransport { _, _ in .answer(503) }
    let up = ScriptedTransport([])
    let hanging = ScriptedTransport { _, _ in .failureOnce { !up.exchanges.isEmpty } }
    let parts = try [
      analytics(down, "down", upload: .atFlush),
      analytics(hanging, "hanging", upload: .atFlush),
      // Which sends nothing before its end.
      analytics(up, "up", upload: UploadOptions()),
    ]
    let all = MultiAnalytics(parts)
    for number in 0..<10 { all.track(Event("numbered", ["number": number])) }
    await all.shutdown(deadline: .now + Patience.long)
    #expect(parts.map(\.status.waiting) == [10, 10, 0])
    #expect(numbers(up.exchanges.flatMap(\.lines)) == Array(0..<10))
    #expect(ids(up.exchanges.flatMap(\.lines)) == ids(down.exchanges.first?.lines ?? []))
  }
}
