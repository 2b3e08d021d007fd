// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@Suite struct `Event tracking` {
  private static let purchase = Event("purchase", ["value": 1_250, "currency": "EUR"])

  @Test func `a tracked event reaches the current analytics unchanged`() {
    let recorder = AnalyticsRecorder()
    Analytics.withInstance(recorder) {
      Analytics.track(Event("view_item", ["item": "coffee"]))
      Analytics.track(Self.purchase)
    }
    #expect(recorder.events == [Event("view_item", ["item": "coffee"]), Self.purchase])
  }

  @Test func `an event's properties are evaluated only if the current analytics are enabled`() {
    var made = 0
    func properties() -> AmbientFields {
      made += 1
      return ["value": 1_250, "currency": "EUR"]
    }
    let recorder = AnalyticsRecorder()
    Analytics.withInstance(recorder) {
      Analytics.track("purchase", properties())
      Analytics.track("left")
      Analytics.instance.track("purchase", properties())
    }
    Analytics.withInstance(NoAnalytics()) {
      Analytics.track("purchase", properties())
      Analytics.instance.track("purchase", properties())
    }
    #expect(recorder.events == [Self.purchase, Event("left"), Self.purchase] && made == 2)
  }

  @Test func `a tracked event gets the caller's time and a unique version 7 UUID`() throws {
    let recorder = AnalyticsRecorder()
    let date = try Date(iso8601: "2026-11-27T05:00:00Z")
    Analytics.withInstance(recorder) {
      Time.freeze(at: date) {
        Analytics.track(Self.purchase)
        Analytics.track(Self.purchase)
      }
    }
    let tracked = recorder.trackedEvents
    #expect(tracked.map(\.date) == [date, date])
    #expect(Set(tracked.map(\.id)).count == 2)
    #expect(tracked.allSatisfy { $0.id.uuidString.dropFirst(14).first == "7" })
  }

  @Test func `the event passed to track() is evaluated only if the current analytics are enabled`()
  {
    var made = 0
    func event() -> Event {
      made += 1
      return Self.purchase
    }
    Analytics.withInstance(NoAnalytics()) { Analytics.track(event()) }
    Analytics.withInstance(MultiAnalytics(NoAnalytics())) { Analytics.track(event()) }
    #expect(made == 0)
    Analytics.withInstance(AnalyticsRecorder()) { Analytics.track(event()) }
    #expect(made == 1)
  }

  @Test func `evaluating the argument of track() can assign another Analytics instance`() {
    let second = AnalyticsRecorder()
    Analytics.withInstance(AnalyticsRecorder()) {
      Analytics.track(
        {
          Analytics.instance = second
          Analytics.track(Event("inner"))
          return Event("outer")
        }())
    }
    #expect(second.events == [Event("inner")])
  }

  @Test func `the default shutdown() of analytics calls flush() after all events are recorded`()
    async
  {
    final class Flushed: Analytics, @unchecked Sendable {
      let told = Timeline()
      override func record(_ event: TrackedEvent) { told.note(event.event.name) }
      override func flush() { told.note("flush") }
    }
    let analytics = Flushed()
    let all = MultiAnalytics(analytics, analytics.through())
    all.track("both")
    await all.shutdown(deadline: .now)
    #expect(analytics.told.lines == ["both", "both", "flush", "flush"])
    #expect(all.lostEvents == 0 && analytics.storedUser == nil && analytics.isEnabled)
  }

  @Test func `analytics created with a closure call the closure for each event`() {
    let names = Guarded<[String]>([])
    Analytics.withInstance(.calling { event in names.withLock { $0.append(event.event.name) } }) {
      Analytics.track(Self.purchase)
    }
    #expect(names.withLock { $0 } == ["purchase"])
  }

  @Test func `an Analytics subclass that overrides only record() receives events`() {
    let analytics = Remembering()
    Analytics.withInstance(analytics) { Analytics.track(Self.purchase) }
    #expect(analytics.events.withLock { $0 } == [Self.purchase])
    #expect(analytics.lostEvents == 0)
  }

  @Test func `Event and TrackedEvent are encoded as JSON`() throws {
    let date = try Date(iso8601: "2026-11-27T05:00:00.25Z")
    let id = try #require(UUID(uuidString: "019AC0DE-0000-7000-8000-000000000001"))
    let tracked = TrackedEvent(Self.purchase, id: id, date: date)
    #expect(
      Self.purchase.json == #"{"event":"purchase","properties":{"value":1250,"currency":"EUR"}}"#)
    #expect(
      tracked.json == """
        {"id":"019AC0DE-0000-7000-8000-000000000001","time":"2026-11-27T05:00:00.250Z",\
        "event":"purchase","properties":{"value":1250,"currency":"EUR"}}
        """)
    #expect(Event("a \"quoted\"\nname").json == #"{"event":"a \"quoted\"\nname","properties":{}}"#)
    _ = try JSONSerialization.jsonObject(with: Data(tracked.json.utf8))
  }

  @Test func `MultiAnalytics passes an event to all its analytics with the same id and date`() {
    let first = AnalyticsRecorder()
    let second = AnalyticsRecorder()
    Analytics.withInstance(MultiAnalytics(first, NoAnalytics(), second)) {
      Analytics.track(Self.purchase)
    }
    #expect(first.trackedEvents == second.trackedEvents)
    #expect(first.events == [Self.purchase])
  }

  @Test func `MultiAnalytics calls its analytics in the order in which they are given`() {
    final class Named: Analytics, @unchecked Sendable {
      private let name: String
      private let told: Timeline

      init(_ name: String, _ told: Timeline) {
        self.name = name
        self.told = told
        super.init()
      }

      override func record(_ event: TrackedEvent) { told.note("\(name) \(event.event.name)") }
      override func flush() { told.note("\(name) flushed") }
    }
    let told = Timeline()
    let all = ["first", "second", "third"].map { Named($0, told) }
    for analytics in [MultiAnalytics(all[0], all[1], all[2]), MultiAnalytics(all)] {
      analytics.track(Self.purchase)
      analytics.flush()
    }
    let once = [
      "first purchase", "second purchase", "third purchase", "first flushed", "second flushed",
      "third flushed",
    ]
    #expect(told.lines == once + once)
  }

  @Test func `a type with RequiresAnalytics uses the current analytics unless it declares its own`()
  {
    struct Ambient: RequiresAnalytics {}
    struct Given: RequiresAnalytics { let analytics: Analytics }
    let around = AnalyticsRecorder()
    let given = AnalyticsRecorder()
    Analytics.withInstance(around) {
      Ambient().analytics.track(Event("ambient"))
      Given(analytics: given).analytics.track(Event("given"))
    }
    #expect(around.events == [Event("ambient")])
    #expect(given.events == [Event("given")])
  }

  @Test func `an analytics handler that itself tracks events is nested at most 8 calls deep`() {
    let calls = Guarded(0)
    let before = Analytics.eventsLostInRecursion
    let analytics = Analytics.calling { _ in
      calls.withLock { $0 += 1 }
      Analytics.track(Self.purchase)
    }
    // It is reported, once in the process.
    Diagnostics.withInstance(.calling { _ in }) {
      Analytics.withInstance(analytics) { Analytics.track(Self.purchase) }
    }
    #expect(calls.withLock { $0 } == 8)
    #expect(Analytics.eventsLostInRecursion > before)
  }

  @Test
  func `events tracked inside 8 nested handler calls count as lost and are reported once`()
    async
  {
    await #expect(processExitsWith: .success) {
      let calls = Guarded(0)
      let reports = Reports()
      Diagnostics.instance = reports
      Analytics.instance = .calling { _ in
        calls.withLock { $0 += 1 }
        Analytics.track("again")
      }
      for count in 1...3 {
        Analytics.track("first")
        #expect(calls.withLock { $0 } == 8 * count)
        #expect(Analytics.eventsLostInRecursion == count)
      }
      #expect(reports.all.map(\.kind) == [.recursion])
      #expect(reports.all.first?.source == "Analytics")
    }
  }
}

/// Analytics as the pattern is usually written: one method.
private final class Remembering: Analytics, @unchecked Sendable {
  let events = Guarded<[Event]>([])

  override func record(_ event: TrackedEvent) { events.withLock { $0.append(event.event) } }
}
