// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Queue changes during an upload` {
  private let folder = TemporaryFolder()

  private func analytics(
    _ transport: any HTTPTransport, _ options: EventQueue.Options = EventQueue.Options(),
    consent: Consent? = nil, upload: UploadOptions = .prompt
  ) throws -> HTTPAnalytics {
    try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("q"), options, consent: consent), upload: upload,
      transport: transport)
  }

  @Test func `an event that is erased after the upload has read it isn't sent`() async throws {
    let transport = ScriptedTransport([])
    let reader = Reader()
    let analytics = try QueuedAnalytics(
      reader, queue: EventQueue(folder: folder.path("q"), .small),
      upload: UploadOptions().with { $0.exchange = UploadOptions.patient }, transport: transport)
    let total = Guarded(0)
    reader.hook.withLock { hook in
      hook = { [weak analytics] number in
        if number == 3, let erased = analytics?.erase(user: "ada") {
          total.withLock { $0 += erased }
        }
      }
    }
    for number in 0..<10 {
      analytics.track(
        Event("numbered", ["number": number], user: number % 2 == 0 ? "ada" : "bob"))
    }
    await analytics.finish()
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == [1, 3, 5, 7, 9])
    #expect(analytics.status.delivered == 5 && total.withLock { $0 } == 5)
  }

  @Test func `after consent is denied and granted again, only events since the new grant are sent`()
    async throws
  {
    let transport = ScriptedTransport([])
    let reader = Reader()
    let consent = Consent([.analytics: .granted])
    let analytics = try QueuedAnalytics(
      reader, queue: EventQueue(folder: folder.path("q"), consent: consent), transport: transport)
    reader.hook.withLock { hook in
      hook = { [weak analytics] number in
        guard number == 3 else { return }
        consent.set(.denied, for: .analytics)
        consent.set(.granted, for: .analytics)
        analytics?.track(10..<12)
      }
    }
    analytics.track(0..<10)
    await analytics.finish()
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == [10, 11])
    #expect(analytics.status.withheld == 10)
  }

  @Test(arguments: [
    ScriptedTransport.Step.answer(503), .answer(413), .answer(400), .answer(200),
    .failure(.unknown, "the connection was lost"),
  ])
  func `if consent is denied during a request, the events are removed for any response`(
    answer: ScriptedTransport.Step
  ) async throws {
    let consent = Consent([.analytics: .granted])
    let transport = ScriptedTransport { number, _ in
      if number == 0 { consent.set(.denied, for: .analytics) }
      return number == 0 ? answer : .answer(200)
    }
    let analytics = try analytics(transport, consent: consent, upload: .atFlush)
    for number in 0..<6 { analytics.track(Event("numbered", ["number": number, "mark": "s3en"])) }
    analytics.flush()
    #expect(await Patience.waitIdly { analytics.status.withheld == 6 })
    consent.set(.granted, for: .analytics)
    analytics.track(10..<12)
    await analytics.finish()
    // In one request or in two: the uploader may still wait after the first answer.
    let sent = transport.exchanges.map { numbers($0.lines) }
    #expect(sent.first == Array(0..<6) && sent.dropFirst().joined().elementsEqual(10..<12))
    #expect(analytics.status.delivered == 2 && analytics.status.lost == [:])
    #expect(analytics.status.trouble == nil)
    for text in folder.texts { #expect(!text.contains("s3en")) }
  }

  @Test
  func `a late notification of a consent denial doesn't remove events since the new grant`()
    async throws
  {
    let consent = Consent([.analytics: .granted])
    let transport = ScriptedTransport([])
    let tracked = Guarded<HTTPAnalytics?>(nil)
    // Told before the queue is.
    consent.onChange { _, status in
      guard status == .denied else { return }
      consent.set(.granted, for: .analytics)
      tracked.withLock { $0 }?.track(5..<8)
    }
    let analytics = try analytics(transport, consent: consent, upload: UploadOptions())
    tracked.withLock { $0 = analytics }
    analytics.track(0..<5)
    consent.set(.denied, for: .analytics)
    #expect(analytics.status.waiting == 3 && analytics.status.withheld == 5)
    await analytics.finish()
    #expect(numbers(transport.exchanges.flatMap(\.lines)) == [5, 6, 7])
  }

  @Test func `after a consent denial, nothing is sent until the earlier events are removed`() throws
  {
    let consent = Consent([.analytics: .granted])
    let queue = try EventQueue(folder: folder.path("q"), consent: consent)
    #expect(queue.isSendingAllowed && queue.unsettledDenials() == nil)
    consent.set(.denied, for: .analytics)
    consent.set(.granted, for: .analytics)
    let first = try #require(queue.unsettledDenials())
    #expect(!queue.isSendingAllowed)
    consent.set(.denied, for: .analytics)
    consent.set(.granted, for: .analytics)
    let second = try #require(queue.unsettledDenials())
    #expect(second.denials == first.denials + 1)
    queue.settle(second.denials)
    #expect(queue.isSendingAllowed && queue.unsettledDenials() == nil)
    // Of one who began before, and comes later.
    queue.settle(first.denials)
    #expect(queue.isSendingAllowed && queue.unsettledDenials() == nil)
  }

  @Test
  func `despite concurrent consent changes, exactly the events since the last grant are kept`()
    async throws
  {
    let consent = Consent([.analytics: .granted])
    // Whoever tells of these takes the others' changes along, late.
    consent.onChange { purpose, _ in if purpose == .advertising { usleep(200) } }
    var options = EventQueue.Options()
    options.capacity = 65_536
    let analytics = try analytics(
      ScriptedTransport([]), options, consent: consent,
      upload: UploadOptions().with { $0.interval = .seconds(3_600) })
    let rounds = 200
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while consent["the end"] == .pending {
          consent.set(consent[.advertising] == .denied ? .granted : .denied, for: .advertising)
          // Slower than they are told, or whoever tells would do so for ever.
          usleep(400)
        }
      }
      group.addTask {
        var wrong = 0
        for number in 0..<rounds {
          consent.set(.denied, for: .analytics)
          consent.set(.granted, for: .analytics)
          analytics.track((number * 3)..<(number * 3 + 3))
          for _ in 0..<3 {
            if analytics.status.waiting != 3 { wrong += 1 }
            usleep(100)
          }
        }
        consent.set(.granted, for: "the end")
        #expect(wrong == 0)
      }
    }
    #expect(analytics.status.withheld == 3 * (rounds - 1))
    #expect(analytics.lostEvents == 0)
  }

  @Test func `an event that a full queue drops during delivery still counts as delivered`()
    async throws
  {
    var options = EventQueue.Options()
    options.capacity = 65_536
    let tracked = Guarded<HTTPAnalytics?>(nil)
    let transport = ScriptedTransport { number, _ in
      // The queue goes around while the first request is under way.
      if number == 0 { tracked.withLock { $0 }?.track(100..<1_000) }
      return .answer(200)
    }
    let analytics = try analytics(
      transport, options, upload: UploadOptions().with { $0.interval = .seconds(3_600) })
    tracked.withLock { $0 = analytics }
    analytics.track(0..<100)
    await analytics.finish()
    tracked.withLock { $0 = nil }
    let arrived = Set(numbers(transport.exchanges.flatMap(\.lines)))
    let status = analytics.status
    #expect(status.delivered == arrived.count && arrived.isSuperset(of: 0..<100))
    #expect(status.lost == ["the queue was full": 1_000 - arrived.count])
    #expect(arrived.count < 1_000)
  }

  @Test func `the unfinished upload of a released collector doesn't change the queue folder`()
    async throws
  {
    let tracked = Guarded<HTTPAnalytics?>(nil)
    let isTracked = Guarded(false)
    let isAnswered = Guarded(false)
    weak var transport: ScriptedTransport?
    do {
      let made = ScriptedTransport { _, _ in
        // Until `track` has returned, the caller keeps the collector.
        _ = Patience.wait { isTracked.withLock { $0 } }
        tracked.withLock { $0 = nil }
        isAnswered.withLock { $0 = true }
        return .answer(503)
      }
      transport = made
      tracked.withLock { $0 = try? analytics(made) }
    }
    tracked.withLock { $0 }?.track(0..<3)
    isTracked.withLock { $0 = true }
    #expect(await Patience.waitIdly { isAnswered.withLock { $0 } })
    // The next owner's.
    let next = try EventQueue(folder: folder.path("q"), .small)
    // The upload has ended once its transport is gone.
    #expect(await Patience.waitIdly { transport == nil })
    #expect(EventQueue.trouble(in: next.folder) == nil)
  }

  @Test func `erasing a user's events also erases events with extreme dates`() throws {
    let analytics = try analytics(ScriptedTransport([]), upload: UploadOptions())
    for date in [Date.distantFuture, Date(timeIntervalSince1970: 1e13), .distantPast] {
      Time.freeze(at: date) { analytics.track(Event("numbered", user: "ada")) }
    }
    #expect(analytics.erase(user: "ada") == 3)
  }

  /// Lines as they are; says once of each which is looked at.
  private final class Reader: LineDestination {
    let name = "Reader"
    let limits = RequestLimits(events: 100, bytes: 100_000)
    let hook = Guarded<@Sendable (Int) -> Void>({ _ in })
    private let known = Guarded<Set<Int>>([])

    func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
      let number = numbers([String(decoding: record, as: UTF8.self)]).first
      if let number, known.withLock({ $0.insert(number).inserted }) { hook.withLock { $0 }(number) }
      return EventEntry(record)
    }
  }
}

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
struct `Queues with a maximum age` {
  private let folder = TemporaryFolder()

  private func analytics(
    _ transport: ScriptedTransport, consent: Consent? = nil
  ) throws -> HTTPAnalytics {
    var options = EventQueue.Options()
    options.maximumAge = .seconds(600)
    return try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("q"), options, consent: consent),
      transport: transport)
  }

  @Test func `an event that expires before its retry isn't sent again`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([.answer(503, headers: ["retry-after": "900"])])
    let analytics = try analytics(transport)
    analytics.track(0..<3)
    try await time.advance(by: .seconds(500))
    analytics.track(3..<5)
    try await time.advance(by: .seconds(500))
    #expect(transport.exchanges.map { numbers($0.lines) } == [[0, 1, 2], [3, 4]])
    #expect(analytics.status.lost == ["too old": 3])
    #expect(analytics.status.delivered == 2)
  }

  @Test(arguments: [false, true])
  func `despite a maximum age, events tracked before the system clock was set are sent`(
    hasFailure: Bool
  ) async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport(
      hasFailure ? [.answer(503, headers: ["retry-after": "300"])] : [])
    let analytics = try analytics(transport)
    Time.freeze(at: Date(timeIntervalSince1970: 7)) { analytics.track(0..<3) }
    try await time.advance(by: .seconds(500))
    #expect(
      transport.exchanges.map { numbers($0.lines) }
        == Array(
          repeating: [0, 1, 2], count: hasFailure ? 2 : 1))
    #expect(analytics.status.delivered == 3 && analytics.status.lost == [:])
  }

  @Test func `while consent is pending, events from before the system clock was set don't expire`()
    async throws
  {
    let time = try VirtualTime.current
    let consent = Consent()
    let analytics = try analytics(ScriptedTransport([]), consent: consent)
    Time.freeze(at: Date(timeIntervalSince1970: 7)) { analytics.track(0..<3) }
    analytics.track(3..<4)
    try await time.advance(by: .seconds(10_000))
    #expect(analytics.status.waiting == 3 && analytics.status.lost == ["too old": 1])
    consent.set(.granted, for: .analytics)
    try await time.advance(by: .seconds(100))
    #expect(analytics.status.delivered == 3)
  }

  @Test func `even while consent is pending, expired events are dropped`() async throws {
    let time = try VirtualTime.current
    let analytics = try analytics(ScriptedTransport([]), consent: Consent())
    analytics.track(0..<3)
    try await time.advance(by: .seconds(300))
    analytics.track(3..<5)
    try await time.advance(by: .seconds(302))
    #expect(analytics.status.waiting == 2 && analytics.status.lost == ["too old": 3])
    try await time.advance(by: .seconds(302))
    #expect(analytics.status.waiting == 0)
  }
}
