// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Refused events` {
  private let folder = TemporaryFolder()
  /// The first event is refused beside the others, which are taken.
  private static let script: [ScriptedTransport.Step] = [
    .answer(400), .answer(400), .answer(200), .answer(400),
  ]

  private var path: String { folder.path("q/refused") }

  private func analytics(
    _ steps: [ScriptedTransport.Step] = script, _ options: EventQueue.Options = small,
    consent: Consent? = nil
  ) throws -> HTTPAnalytics {
    try analytics(ScriptedTransport(steps), options, consent: consent)
  }

  private func analytics(
    _ transport: ScriptedTransport, _ options: EventQueue.Options = small, consent: Consent? = nil
  ) throws -> HTTPAnalytics {
    try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("q"), options, consent: consent), upload: .atFlush,
      transport: transport)
  }

  private static var small: EventQueue.Options {
    var options = EventQueue.Options()
    options.capacity = 65_536
    return options
  }

  /// Tracks two events, of which the first is refused.
  private func refuse(_ first: Int, user: AnalyticsUser? = nil) async throws {
    let analytics = try analytics()
    analytics.track(Event("numbered", ["number": first, "mark": "s3en"], user: user))
    analytics.track((first + 1)..<(first + 2))
    await analytics.finish()
    try #require(analytics.status.lost == ["status 400": 1])
  }

  private var kept: Int? {
    get throws { try QueueSummary(folder: folder.path("q")).refused?.count }
  }

  /// How many wait again, and how many do not.
  private func retry() throws -> [Int] {
    let (moved, left) = try EventQueue.retryRefused(in: folder.path("q"))
    return [moved, left]
  }

  private var isMarkedAnywhere: Bool { folder.texts.contains { $0.contains("s3en") } }

  @Test func `EventQueue.retryRefused adds events lost from a damaged queue to QueueSummary.lost`()
    async throws
  {
    try await refuse(0)
    let collector = try analytics(ScriptedTransport { _, _ in .failure(.unsent, "no network") })
    collector.track(2..<3)
    await collector.finish()
    let handle = try FileHandle(forUpdating: folder.url.appending(path: "q/queue"))
    // Within the last record, so that only its checksum tells.
    let bytes = try Data(contentsOf: folder.url.appending(path: "q/queue"))
    let place = try #require(bytes.range(of: Data(#""number":2"#.utf8))).lowerBound
    try handle.seek(toOffset: UInt64(place))
    try handle.write(contentsOf: Data("x".utf8))
    try handle.close()
    #expect(try retry() == [1, 0])
    let lost = try QueueSummary(folder: folder.path("q")).lost
    #expect(lost == ["status 400": 1, "damaged in the queue": 1])
  }

  @Test(arguments: [false, true])
  func `after erasure or consent denial, a dropped event isn't kept even if it is refused`(
    isDenied: Bool
  ) async throws {
    let consent = Consent([.analytics: .granted])
    let sender = Guarded<HTTPAnalytics?>(nil)
    let transport = ScriptedTransport { _, lines in
      if lines.count > 1 { return .answer(400) }
      guard lines.contains(where: { $0.contains("s3en") }) else { return .answer(200) }
      let analytics = sender.withLock { $0 }
      for _ in 0..<50 {
        analytics?.track(Event("long", ["text": .string(String(repeating: "x", count: 2_000))]))
      }
      if isDenied {
        consent.set(.denied, for: .analytics)
      } else {
        analytics?.erase(user: "ada")
      }
      return .answer(400)
    }
    let analytics = try analytics(transport, consent: consent)
    sender.withLock { $0 = analytics }
    analytics.track(0..<1)
    analytics.track(Event("numbered", ["number": 1, "mark": "s3en"], user: "ada"))
    await analytics.finish()
    sender.withLock { $0 = nil }
    #expect(analytics.status.lost.keys.elementsEqual(["the queue was full"]))
    #expect(try kept ?? 0 == 0)
    #expect(!isMarkedAnywhere)
  }

  @Test func `refused events are kept in a separate file, and retryRefused resends them unchanged`()
    async throws
  {
    try await refuse(0)
    let summary = try QueueSummary(folder: folder.path("q"))
    #expect(summary.waiting?.count == 0 && summary.refused?.count == 1)
    #expect(summary.refused?.oldest != nil && (summary.refused?.bytes ?? 0) > 100)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try await refuse(2)
    #expect(try kept == 2)
    let refused = try journal { $0.batch(maximumCount: 9, maximumBytes: .max, now: .now) }
    #expect(numbers(refused.map { String(decoding: $0.bytes, as: UTF8.self) }) == [0, 2])
    let (moved, left) = try EventQueue.retryRefused(in: folder.path("q"))
    #expect(moved == 2 && left == 0)
    #expect(try kept == 0)
    let transport = ScriptedTransport([])
    let last = try analytics(transport)
    #expect(last.status.waiting == 2)
    await last.finish()
    #expect(transport.exchanges.flatMap(\.lines).map { Array($0.utf8) } == refused.map(\.bytes))
  }

  private func journal<Result>(_ body: (Journal) -> Result) throws -> Result {
    let files = FileManager.default
    try folder.makeFolder("copy")
    try files.copyItem(atPath: path, toPath: folder.path("copy/queue"))
    defer { try? files.removeItem(atPath: folder.path("copy")) }
    let journal = try Journal(folder: folder.path("copy"), Self.small.journal)
    defer { journal.close() }
    return body(journal)
  }

  @Test func `the file of refused events isn't created before a refusal`() async throws {
    let analytics = try analytics([])
    analytics.track(0..<3)
    #expect(analytics.status.refused == 0 && analytics.status.forgotten == 0)
    #expect(analytics.erase(user: "ada") == 0)
    await analytics.finish()
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try kept == nil)
    #expect(try retry() == [0, 0])
  }

  @Test func `events that a collector refuses as too large are kept as refused events`()
    async throws
  {
    let analytics = try HTTPAnalytics(
      url: "http://events.example/", queue: EventQueue(folder: folder.path("q"), Self.small),
      options: HTTPOptions().with { $0.limits = RequestLimits(events: 9, bytes: 400) },
      upload: .atFlush, transport: ScriptedTransport([]))
    analytics.track(Event("long", ["text": .string(String(repeating: "x", count: 400))]))
    await analytics.finish()
    #expect(analytics.status.lost == ["too large for a request": 1])
    #expect(analytics.status.refused == 1)
    #expect(try kept == 1)
  }

  @Test func `erasing a user also erases the refused events of that user`() async throws {
    try await refuse(0, user: "ada")
    try await refuse(2, user: "bob")
    let analytics = try analytics()
    #expect(analytics.status.refused == 2)
    #expect(analytics.erase(user: "ada") == 1)
    #expect(analytics.status.refused == 1)
    #expect(analytics.erase(user: "bob") == 1)
    #expect(!isMarkedAnywhere)
    await analytics.finish()
    #expect(try kept == 0)
  }

  @Test(arguments: [true, false]) func `if consent is denied, refused events are removed`(
    isLater: Bool
  )
    async throws
  {
    try await refuse(0)
    #expect(isMarkedAnywhere)
    let consent = Consent([.analytics: isLater ? .granted : .denied])
    let analytics = try analytics(consent: consent)
    if isLater {
      #expect(analytics.status.refused == 1)
      consent.set(.denied, for: .analytics)
    }
    #expect(analytics.status.refused == 0)
    #expect(analytics.status.withheld == 0)
    #expect(!isMarkedAnywhere)
    await analytics.finish()
  }

  @Test(arguments: [true, false])
  func `a refused event isn't kept if an erasure or consent denial came during the request`(
    isErased: Bool
  ) async throws {
    let consent = Consent([.analytics: .granted])
    let collector = Guarded<HTTPAnalytics?>(nil)
    let transport = ScriptedTransport { number, _ in
      if number == 3 {
        if isErased {
          _ = collector.withLock { $0 }?.erase(user: "ada")
        } else {
          consent.set(.denied, for: .analytics)
        }
      }
      return Self.script[min(number, 3)]
    }
    let analytics = try analytics(transport, consent: consent)
    collector.withLock { $0 = analytics }
    analytics.track(Event("numbered", ["number": 0, "mark": "s3en"], user: "ada"))
    analytics.track(1..<2)
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.waiting == 0 })
    collector.withLock { $0 = nil }
    await analytics.finish()
    #expect(transport.exchanges.count == 4)
    #expect(analytics.status.lost == [:])
    #expect(analytics.status.refused == 0)
    #expect(!isMarkedAnywhere)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `refused events that expire are removed and counted in status.forgotten`() async throws {
    let time = try VirtualTime.current
    var options = Self.small
    options.maximumAge = .seconds(600)
    let analytics = try analytics(Self.script, options)
    analytics.track(Event("numbered", ["number": 0, "mark": "s3en"]))
    analytics.track(1..<2)
    analytics.flush()
    try await time.advance(by: .seconds(599))
    #expect(analytics.status.refused == 1)
    try await time.advance(by: .seconds(2))
    #expect(analytics.status.refused == 0)
    #expect(analytics.status.forgotten == 1)
    #expect(!isMarkedAnywhere)
    #expect(Test.reports.count { $0.source.hasPrefix("Journal ") } == 1)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `refused events tracked before the system clock was set never expire`()
    async throws
  {
    let time = try VirtualTime.current
    var options = Self.small
    options.maximumAge = .seconds(600)
    let analytics = try analytics(Self.script, options)
    Time.freeze(at: Date(timeIntervalSince1970: 7)) { analytics.track(0..<2) }
    analytics.flush()
    try await time.advance(by: .seconds(2_000))
    #expect(analytics.status.lost == ["status 400": 1])
    #expect(analytics.status.refused == 1 && analytics.status.forgotten == 0)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `refused events that expire between two program starts are removed`() async throws {
    let time = try VirtualTime.current
    try await refuse(0)
    try await time.advance(by: .seconds(601))
    var options = Self.small
    options.maximumAge = .seconds(600)
    let analytics = try analytics([], options)
    await analytics.finish()
    #expect(try kept == 0)
    #expect(!isMarkedAnywhere)
    #expect(Test.reports.count { $0.source.hasPrefix("Journal ") } == 1)
  }

  @Test func `a full file of refused events drops and counts its oldest events`() async throws {
    let text = AmbientValue.string(String(repeating: "x", count: 8_000))
    let transport = ScriptedTransport { _, lines in
      .answer(lines.contains { $0.contains("xxxx") } ? 400 : 200)
    }
    for (refused, forgotten) in [(5, 0), (8, 2), (8, 5)] {
      let analytics = try analytics(transport)
      analytics.track(-1..<0)
      for number in 0..<5 {
        analytics.track(Event("numbered", ["number": number, "text": text]))
      }
      await analytics.finish()
      #expect(analytics.status.lost == ["status 400": 5])
      #expect(analytics.status.refused == refused && analytics.status.forgotten == forgotten)
    }
    #expect(try kept == 8)
    // And what the queue has no room for, stays.
    let consent = Consent()
    let waiting = try analytics(ScriptedTransport([]), consent: consent)
    for _ in 0..<5 { waiting.track(Event("numbered", ["text": text])) }
    await waiting.finish()
    #expect(try retry() == [3, 5])
    let summary = try QueueSummary(folder: folder.path("q"))
    #expect(summary.waiting?.count == 8 && summary.refused?.count == 5)
  }

  @Test func `a damaged refused event is reported, and the other refused events are kept`()
    async throws
  {
    for number in [0, 2, 4] { try await refuse(number) }
    let file = URL(filePath: path)
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data(#""number":2"#.utf8)))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: file)
    let reports = Reports()
    let analytics = try Diagnostics.withInstance(reports) { try self.analytics([]) }
    #expect(reports.messages.count == 1)
    #expect(reports.all.first?.kind == .damaged)
    #expect(reports.all.first?.source == "Journal \(path)")
    #expect(analytics.status.refused == 2)
    #expect(analytics.status.forgotten == 1)
    analytics.track(6..<7)
    await analytics.finish()
    #expect(analytics.status.delivered == 1 && analytics.status.lost == [:])
    #expect(try retry() == [2, 0])
    let transport = ScriptedTransport([])
    let last = try self.analytics(transport)
    await last.finish()
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == [0, 4])
  }

  @Test(arguments: [true, false])
  func `if the file for refused events can't be opened, this is reported once`(
    isFolder: Bool
  ) async throws {
    let text = String(repeating: "something else, long enough to be looked at. ", count: 9)
    if isFolder {
      try folder.makeFolder("q/refused")
    } else {
      try folder.write(text, to: "q/refused")
    }
    let reports = Reports()
    let analytics = try Diagnostics.withInstance(reports) {
      try HTTPAnalytics(
        url: "http://events.example/", queue: EventQueue(folder: folder.path("q"), Self.small),
        upload: .atFlush, transport: ScriptedTransport(Self.script))
    }
    analytics.track(0..<2)
    await analytics.finish()
    #expect(reports.all.count { $0.source == "EventQueue \(folder.path("q"))" } == 1)
    #expect(analytics.status.lost == ["status 400": 1])
    #expect(analytics.status.delivered == 1)
    #expect(try kept == nil)
    if !isFolder { #expect(try folder.text("q/refused") == text) }
    let error = #expect(throws: CollectorError.self) {
      try EventQueue.retryRefused(in: folder.path("q"))
    }
    #expect(error?.code == .queueUnusable)
  }

  @Test func `refused events aren't kept if a folder appears at the path of their file`()
    async throws
  {
    let transport = ScriptedTransport { _, lines in
      .answer(lines.contains { $0.contains("s3en") } ? 400 : 200)
    }
    let reports = Reports()
    let analytics = try Diagnostics.withInstance(reports) { try self.analytics(transport) }
    try folder.makeFolder("q/refused")
    for number in 0..<3 {
      analytics.track(number..<(number + 1))
      analytics.track(Event("numbered", ["mark": "s3en"]))
    }
    await analytics.finish()
    #expect(analytics.status.lost == ["status 400": 3] && analytics.status.delivered == 3)
    #expect(reports.all.count { $0.source == "EventQueue \(folder.path("q"))" } == 1)
  }
}
