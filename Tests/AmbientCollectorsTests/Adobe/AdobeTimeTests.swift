// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand))
struct `Adobe event times` {
  private let folder = TemporaryFolder()

  @Test func `Adobe events keep their times through a server outage of one day`() async throws {
    let start = Time.now
    let transport = ScriptedTransport.downForADay(then: 202)
    let analytics = try AdobeAnalytics.to(transport, folder)
    try await analytics.sendHourlyThroughADay()
    let first = transport.bodies.lastIndex { $0.contains(#""hour":"0""#) }
    let sent = transport.bodies[try #require(first)...].joined()
    let hours = sent.matches(of: /"timestamp":"([^"]+)".*?"hour":"([0-9]+)"/)
    #expect(hours.map { Int($0.output.2) } == Array(0..<24))
    #expect(
      hours.map { String($0.output.1) } == (0..<24).map { (start + Double($0) * 3_600).iso8601() })
    // Whatever comes again has the identity that it had.
    let ids = transport.bodies.flatMap { $0.matches(of: /"_id":"([^"]+)"/) }.map(\.output.1)
    #expect(Set(ids).count == 24)
  }

  @Test func `after a 429 or 503 from Adobe, Retry-After sets the time of the next attempt`()
    async throws
  {
    let transport = ScriptedTransport([
      .answer(429, headers: ["retry-after": "7"]), .answer(503, headers: ["retry-after": "9"]),
    ])
    let analytics = try AdobeAnalytics.to(
      transport, folder,
      upload: UploadOptions().with {
        $0.interval = .zero
        $0.backoff = .seconds(1)
      })
    analytics.track(Event("a"))
    try await VirtualTime.current.advance(by: .seconds(60))
    #expect(analytics.status.delivered == 1)
    #expect(transport.seconds == [0, 7, 16])
  }

  @Test(arguments: [92, 93])
  func `an Adobe event older than 92 days is reported and sent with its own time`(days: Int)
    async throws
  {
    let transport = ScriptedTransport([])
    let reports = Reports()
    let start = Time.now
    let analytics = try AdobeAnalytics.to(
      transport, folder, reports: reports,
      upload: UploadOptions().with { $0.interval = .seconds(days * 86_400) })
    analytics.track(Event("a"))
    try await VirtualTime.current.advance(by: .seconds(days * 86_400))
    #expect(analytics.status.delivered == 1)
    #expect(transport.bodies.first?.contains(#""timestamp":"\#(start.iso8601())""#) == true)
    #expect(analytics.amendments == (days > 92 ? ["too-old": 1] : [:]))
    #expect(reports.all.map(\.kind) == (days > 92 ? [.amended] : []))
  }

  @Test(arguments: [RulePolicy.lenient, .strict])
  func `an Adobe event that was tracked before the system clock was set keeps its time`(
    policy: RulePolicy
  ) throws {
    let event = try TrackedEvent(Event("a"), at: "1970-01-01T00:00:00Z")
    let validator = EventValidator.adobe(AdobeOptions().with { $0.policy = policy })
    #expect(validator.problems(in: [event], now: Time.now).map(\.effect) == [.kept])
  }

  @Test(arguments: [(93 * 24, 93), (93 * 24 + 23, 93), (94 * 24, 94)])
  func `the age of an Adobe event that is too old is reported in whole days`(hours: Int, days: Int)
  {
    let now = Time.now
    let event = TrackedEvent(
      Event("a"), id: AmbientIdentifier.next(), date: now - Double(hours) * 3_600)
    let problems = EventValidator.adobe().problems(in: [event], now: now)
    #expect(problems.map(\.rule) == [.tooOld] && problems.map(\.effect) == [.kept])
    #expect(problems.map(\.found) == ["\(days) days"])
  }
}

@Suite struct `Adobe events from the future` {
  @Test func `an Adobe event dated in the future is sent with the current time`() async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let transport = ScriptedTransport([])
    let reports = Reports()
    try await Time.withInstance(FixedTime(at: Date(timeIntervalSince1970: 1_795_755_600))) {
      let analytics = try AdobeAnalytics.to(transport, folder, reports: reports)
      Time.withInstance(FixedTime(at: Date(timeIntervalSince1970: 1_795_759_200))) {
        analytics.track(Event("a"))
      }
      analytics.track(Event("a"))
      await analytics.finish()
      #expect(analytics.amendments == ["in-future": 1])
      #expect(analytics.status.delivered == 2)
    }
    #expect(
      transport.bodies.first?.matches(of: /"timestamp":"2026-11-27T05:00:00.000Z"/).count == 2)
    #expect(reports.all.map(\.kind) == [.amended])
  }
}
