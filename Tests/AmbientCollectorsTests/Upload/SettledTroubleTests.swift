// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.quiet) struct `Cleared delivery trouble` {
  private let folder = TemporaryFolder()

  private func analytics(
    _ transport: ScriptedTransport, _ options: EventQueue.Options = EventQueue.Options(),
    consent: Consent? = nil
  ) throws -> HTTPAnalytics {
    try HTTPAnalytics(
      url: "http://events.example/",
      queue: EventQueue(folder: folder.path("q"), options, consent: consent),
      upload: UploadOptions().with {
        $0.events = 1
        $0.backoff = .seconds(3_600)
      }, transport: transport)
  }

  private var kept: DeliveryTrouble? { EventQueue.trouble(in: folder.path("q")) }

  /// Options of a queue whose events become too old after ten minutes.
  private static let tenMinutes: EventQueue.Options = {
    var options = EventQueue.Options()
    options.maximumAge = .seconds(600)
    return options
  }()

  @Test func `status.trouble is cleared once the waiting events are erased`() async throws {
    let analytics = try analytics(ScriptedTransport { _, _ in .answer(503) })
    analytics.track(Event("numbered", user: "ada"))
    analytics.track(Event("numbered", user: "bob"))
    #expect(await Patience.waitIdly { kept != nil })
    analytics.erase(user: "ada")
    #expect(analytics.status.trouble != nil && kept != nil)
    analytics.erase(user: "bob")
    #expect(analytics.status.trouble == nil && kept == nil)
  }

  @Test func `status.trouble is cleared if consent is denied`() async throws {
    let consent = Consent([.analytics: .granted])
    let analytics = try analytics(ScriptedTransport { _, _ in .answer(503) }, consent: consent)
    analytics.track(0..<3)
    #expect(await Patience.waitIdly { kept != nil })
    consent.set(.denied, for: .analytics)
    #expect(analytics.status.trouble == nil && kept == nil)
  }

  @Test func `status.trouble stays if an erase after shutdown leaves events waiting`()
    async throws
  {
    let analytics = try analytics(ScriptedTransport { _, _ in .answer(503) })
    analytics.track(0..<3)
    #expect(await Patience.waitIdly { kept != nil })
    await analytics.shutdown(deadline: .now)
    analytics.erase(user: "ada")
    #expect(analytics.status.waiting == 3)
    #expect(analytics.status.trouble != nil && kept != nil)
  }

  @Test func `a restart with denied consent removes the queue's trouble file`() async throws {
    let first = try analytics(ScriptedTransport { _, _ in .answer(503) })
    first.track(0..<3)
    #expect(await Patience.waitIdly { kept != nil })
    await first.shutdown(deadline: .now)
    #expect(kept != nil)
    _ = try analytics(ScriptedTransport([]), consent: Consent([.analytics: .denied]))
    #expect(kept == nil)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `status.trouble is cleared once the waiting events expire`() async throws {
    let time = try VirtualTime.current
    let analytics = try analytics(ScriptedTransport { _, _ in .answer(503) }, Self.tenMinutes)
    analytics.track(0..<3)
    try await time.advance(by: .seconds(500))
    #expect(analytics.status.trouble != nil && kept != nil)
    try await time.advance(by: .seconds(5_000))
    #expect(analytics.status.lost == ["too old": 3])
    #expect(analytics.status.trouble == nil && kept == nil)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `a restart removes the queue's trouble file if the waiting events have expired`()
    async throws
  {
    let time = try VirtualTime.current
    let first = try analytics(ScriptedTransport { _, _ in .answer(503) }, Self.tenMinutes)
    first.track(0..<3)
    try await time.advance(by: .seconds(1))
    await first.shutdown(deadline: .now)
    #expect(kept != nil)
    try await time.advance(by: .seconds(600))
    let next = try analytics(ScriptedTransport([]), Self.tenMinutes)
    next.flush()
    // Long before it looks again.
    try await time.advance(by: .milliseconds(1))
    #expect(next.status.lost == ["too old": 3])
    #expect(next.status.trouble == nil && kept == nil)
  }
}

@Suite(.quiet) struct `Failing servers at shutdown` {
  private let folder = TemporaryFolder()

  @Test(arguments: [0, 5])
  func `a shutdown retries until the server is back`(earlier: Int) async throws {
    // As often as it failed before the end, and some times in it.
    let transport = ScriptedTransport { number, _ in
      number < earlier + 6 ? .failure(.unsent, "the connection was refused") : .answer(200)
    }
    let analytics = try HTTPAnalytics(transport, folder, upload: .prompt)
    analytics.track(0..<3)
    if earlier > 0 {
      analytics.flush()
      #expect(await Patience.waitIdly { transport.exchanges.count >= earlier })
    }
    await analytics.finish()
    #expect(analytics.status.delivered == 3 && analytics.status.waiting == 0)
  }

  @Test
  func `during a shutdown, a request's time limit is within the time left until the deadline`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in .answer(503) }
    var options = UploadOptions.atFlush
    options.exchange.duration = .seconds(864_000)
    let analytics = try HTTPAnalytics(transport, folder, upload: options)
    analytics.track(0..<3)
    await analytics.shutdown(deadline: .now + .seconds(3_000))
    let durations = transport.exchanges.map(\.limits.duration)
    #expect(durations.count == 10)
    // Each has what those before have left: in all less than an exchange may take elsewhere.
    #expect(durations.allSatisfy { $0 < .seconds(3_000) && $0 > .zero }, "\(durations)")
    #expect(durations == durations.sorted(by: >) && Set(durations).count == 10)
    let other = TemporaryFolder()
    defer { withExtendedLifetime(other) {} }
    let late = try HTTPAnalytics(transport, other, upload: .atFlush)
    late.track(0..<3)
    await late.shutdown(deadline: .now - .seconds(1))
    #expect(transport.exchanges.count == 10 && late.status.waiting == 3)
  }

  @Test func `after ten failed attempts, a shutdown ends and the events stay in the queue`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in .answer(503) }
    let analytics = try HTTPAnalytics(transport, folder, upload: .atFlush)
    analytics.track(0..<3)
    await analytics.finish()
    #expect(transport.exchanges.count == 10 && analytics.status.waiting == 3)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand), .quiet)
  func `a shutdown keeps events if the server doesn't respond by the deadline`() async throws {
    let analytics = try HTTPAnalytics(ScriptedTransport { _, _ in .hang }, folder, upload: .atFlush)
    analytics.track(0..<3)
    await analytics.shutdown(deadline: .now + .milliseconds(200))
    #expect(analytics.status.trouble != nil)
    #expect(analytics.status.waiting == 3 && analytics.status.lost.isEmpty)
  }

  @Test(.virtualTime(from: "2026-11-27T00:00:00Z"), .quiet)
  func `during a shutdown, each retry delay is at least half of the growing backoff limit`()
    async throws
  {
    let transport = ScriptedTransport { _, _ in .answer(503) }
    let analytics = try HTTPAnalytics(transport, folder)
    analytics.track(0..<3)
    await analytics.shutdown(deadline: .now + .seconds(1_000))
    let seconds = transport.seconds
    let waits = zip(seconds.dropFirst(), seconds).map { $0 - $1 }
    #expect(waits.count == 9)
    for (number, wait) in waits.enumerated() {
      let longest = min(Double(1 << number), 250)
      // Half of it at least, of a quarter of what is left of the end.
      #expect((longest * 0.45...longest).contains(wait), "\(waits)")
    }
  }
}
