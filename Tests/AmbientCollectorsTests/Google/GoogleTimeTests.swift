// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.virtualTime(from: "2026-11-27T00:00:00Z", advances: .byHand))
struct `Google event times` {
  private let folder = TemporaryFolder()

  @Test func `Google events keep their times through a server outage of one day`() async throws {
    let start = Time.now
    let transport = ScriptedTransport.downForADay(then: 204)
    let analytics = try GoogleAnalytics.to(transport, folder)
    try await analytics.sendHourlyThroughADay()
    let sent = transport.bodies.suffix(from: { $0.contains(#""hour":0,"#) }).joined()
    let hours = sent.matches(of: /"hour":([0-9]+),.*?"timestamp_micros":([0-9]+)/)
    #expect(hours.map { Int($0.output.1) } == Array(0..<24))
    #expect(
      hours.map { Int($0.output.2) }
        == (0..<24).map { (Int(start.timeIntervalSince1970) + $0 * 3_600) * 1_000_000 })
  }

  @Test(arguments: [72.0, 73])
  func `a Google event older than 72 hours is sent as 72 hours old, and counted as changed`(
    hours: Double
  )
    async throws
  {
    let reports = Reports()
    let transport = ScriptedTransport([])
    let start = Time.now
    let analytics = try late(by: hours, .moved, transport, reports)
    try await deliver(analytics, after: hours)
    #expect(analytics.status.delivered == 2)
    let moved = start + (hours - 72) * 3_600
    let micros = Int(moved.timeIntervalSince1970) * 1_000_000
    #expect(transport.bodies.first?.contains(#""timestamp_micros":\#(micros)}"#) == true)
    #expect(analytics.amendments == (hours > 72 ? ["too-old": 2] : [:]))
    #expect(reports.all.map(\.kind) == (hours > 72 ? [.amended] : []))
  }

  @Test func `if lateEvents is dropped, a Google event older than 72 hours counts as lost`()
    async throws
  {
    let reports = Reports()
    let transport = ScriptedTransport([])
    let analytics = try late(by: 73, .dropped, transport, reports)
    try await deliver(analytics, after: 73)
    #expect(transport.exchanges.isEmpty)
    #expect(analytics.status.lost == ["time: expected an event at most 72 hours old": 2])
    #expect(reports.all.map(\.kind) == [.undelivered])
  }

  @Test(arguments: [(73 * 60, 73), (73 * 60 + 59, 73), (74 * 60, 74)])
  func `the age of a Google event that is too old is reported in whole hours`(
    minutes: Int, hours: Int
  ) {
    let now = Time.now
    let event = TrackedEvent(
      Event("a"), id: AmbientIdentifier.next(), date: now - Double(minutes) * 60)
    for (lateEvents, effect) in [
      (GoogleOptions.LateEvents.moved, EventProblem.Effect.moved(to: now - 72 * 3_600)),
      (.dropped, .refused),
    ] {
      let validator = EventValidator.google(
        .web, GoogleOptions().with { $0.lateEvents = lateEvents })
      let problems = validator.problems(in: [event], now: now)
      #expect(problems.map(\.rule) == [.tooOld] && problems.map(\.effect) == [effect])
      #expect(problems.map(\.found) == ["\(hours) hours"])
    }
  }

  @Test(arguments: [GoogleOptions.LateEvents.moved, .dropped], [RulePolicy.lenient, .strict])
  func `a Google event tracked before the system clock was set is sent as 72 hours old`(
    lateEvents: GoogleOptions.LateEvents, policy: RulePolicy
  ) throws {
    let now = Time.now
    let validator = EventValidator.google(
      .web,
      GoogleOptions().with {
        $0.policy = policy
        $0.lateEvents = lateEvents
      })
    let moved = [EventProblem.Effect.moved(to: now - 72 * 3_600)]
    for time in ["1970-01-01T00:00:00Z", "2019-12-31T23:59:59.999Z"] {
      let event = try TrackedEvent(Event("a"), at: time)
      #expect(validator.problems(in: [event], now: now).map(\.effect) == moved)
    }
    let event = try TrackedEvent(Event("a"), at: "2020-01-01T00:00:00Z")
    #expect(
      validator.problems(in: [event], now: now).map(\.effect)
        == (lateEvents == .dropped ? [.refused] : moved))
  }

  /// Two events that wait for so long.
  private func late(
    by hours: Double, _ lateEvents: GoogleOptions.LateEvents, _ transport: ScriptedTransport,
    _ reports: Reports
  ) throws -> GoogleAnalytics {
    try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.lateEvents = lateEvents }, reports: reports,
      upload: UploadOptions().with { $0.interval = .seconds(Int(hours * 3_600)) })
  }

  private func deliver(_ analytics: GoogleAnalytics, after hours: Double) async throws {
    analytics.track(Event("a"))
    analytics.track(Event("a"))
    try await VirtualTime.current.advance(by: .seconds(Int(hours * 3_600)))
    #expect(analytics.status.waiting == 0)
  }

  @Test func `a Google session ends after the configured time without events`() async throws {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([])
    let analytics = try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.session = .automatic(pause: .seconds(60)) })
    for wait in [0, 60, 61, 10] {
      try await time.advance(by: .seconds(wait))
      analytics.track(Event("a"))
    }
    analytics.track(Event("a", ["client_id": "5.6"]))
    analytics.flush()
    try await time.advance(by: .seconds(1))
    let start = Int(try Date(iso8601: "2026-11-27T00:00:00Z").timeIntervalSince1970)
    let sessions = transport.bodies.joined().matches(of: /"session_id":"([0-9]+)"/)
    #expect(
      sessions.map { Int($0.output.1) }
        == [start, start, start + 121, start + 121, start + 131])
  }

  @Test func `by default, a Google session ends after 30 minutes without events`()
    async throws
  {
    let time = try VirtualTime.current
    let transport = ScriptedTransport([])
    let analytics = try GoogleAnalytics.to(
      transport, folder, upload: UploadOptions().with { $0.interval = .seconds(86_400) })
    for wait in [0, 1_800, 1_801] {
      try await time.advance(by: .seconds(wait))
      analytics.track(Event("a"))
    }
    analytics.flush()
    try await time.advance(by: .seconds(1))
    let start = Int(try Date(iso8601: "2026-11-27T00:00:00Z").timeIntervalSince1970)
    let sessions = transport.bodies.joined().matches(of: /"session_id":"([0-9]+)"/)
    #expect(sessions.map { Int($0.output.1) } == [start, start, start + 3_601])
  }
}

@Suite struct `Google events from the future` {
  @Test func `a Google event dated in the future is sent with the current time`() async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let transport = ScriptedTransport([])
    let reports = Reports()
    try await Time.withInstance(FixedTime(at: Date(timeIntervalSince1970: 1_795_755_600))) {
      let analytics = try GoogleAnalytics.to(transport, folder, reports: reports)
      Time.withInstance(FixedTime(at: Date(timeIntervalSince1970: 1_795_759_200))) {
        analytics.track(Event("a"))
        analytics.track(Event("b"))
      }
      analytics.track(Event("a"))
      await analytics.finish()
      #expect(analytics.amendments == ["in-future": 2])
      #expect(analytics.status.delivered == 3)
    }
    #expect(
      transport.bodies.first?.matches(of: /"timestamp_micros":1795755600000000/).count == 3)
    // Once, whatever the events are called.
    #expect(reports.all.map(\.kind) == [.amended])
    #expect(reports.messages.first?.hasPrefix("a, time: ") == true)
  }
}

extension Array {
  fileprivate func suffix(from isFirst: (Element) -> Bool) -> ArraySlice<Element> {
    lastIndex(where: isFirst).map { self[$0...] } ?? []
  }
}
