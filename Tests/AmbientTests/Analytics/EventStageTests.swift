// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `Event stages` {
  private let recorder = AnalyticsRecorder()

  private var names: [String] { recorder.events.map(\.name) }

  @Test func `an event stage can change or drop events, and dropped events count as withheld`() {
    let analytics = recorder.through(
      EventStage { event in
        var event = event
        event.event.name += "!"
        return event.event.name == "drop!" ? nil : event
      })
    for name in ["a", "drop", "b", "drop"] { analytics.track(Event(name)) }
    #expect(names == ["a!", "b!"])
    #expect(analytics.withheldEvents == 2 && analytics.lostEvents == 0)
  }

  @Test func `event stages run in order and stop at the first stage that drops the event`() {
    let seen = Guarded<[String]>([])
    func step(_ name: String, dropping: String = "") -> EventStage {
      EventStage { event in
        seen.withLock { $0.append(name) }
        return event.event.name == dropping ? nil : event
      }
    }
    let analytics = recorder.through(step("1").then(step("2", dropping: "x")), step("3"))
    analytics.track(Event("a"))
    analytics.track(Event("x"))
    #expect(seen.withLock { $0 } == ["1", "2", "3", "1", "2"])
    #expect(names == ["a"])
  }

  @Test func `an event stage with a condition applies only to matching events`() {
    let analytics = recorder.through(
      EventStage.filtering { _ in false }.when { $0.event.name == "view" })
    for name in ["buy", "view"] { analytics.track(Event(name)) }
    #expect(names == ["buy"])
  }

  @Test func `an enriching event stage adds properties but keeps an event's existing values`() {
    let analytics = recorder.through(
      .enriching(["app": "shop", "version": 2]),
      .enriching { ["name": $0.event.name, "user": $0.user?.id] })
    analytics.track(Event("a", ["version": 3], user: "ada"))
    analytics.track(Event("b"))
    #expect(
      recorder.events.map(\.properties) == [
        ["name": "a", "user": "ada", "app": "shop", "version": 3],
        ["name": "b", "app": "shop", "version": 2],
      ])
    #expect(recorder.events[0].properties.map(\.name) == ["name", "user", "app", "version"])
  }

  @Test func `an event stage adds named log metadata and prefers the metadata provider's values`() {
    let analytics = recorder.through(.enriching(fromLog: "trace", "request", "absent"))
    Log.withInstance(LogRecorder()) {
      Log.metadataProvider = { ["trace": "provided", "other": 1] }
      Log.withMetadata(["trace": "scope", "request": 7]) { analytics.track(Event("a")) }
    }
    #expect(recorder.events.map(\.properties) == [["trace": "provided", "request": 7]])
    Log.withInstance(LogRecorder()) {
      Log.withMetadata(["trace": "scope", "other": 7]) { analytics.track(Event("b")) }
      analytics.track(Event("c"))
    }
    #expect(recorder.events.dropFirst().map(\.properties) == [["trace": "scope"], [:]])
  }

  @Test func `a redacting event stage hides named fields at any depth and in user traits`() {
    let analytics = recorder.through(.redacting("mail", "phone"))
    analytics.track(
      Event(
        "a",
        [
          "mail": "ada@example.org", "list": [["phone": 7, "a": 1] as AmbientFields], "b": 2,
          "group": ["mail": [1, 2]] as AmbientFields, "Mail": "another name",
        ], user: AnalyticsUser("ada", ["mail": "ada@example.org", "plan": "paid"])))
    #expect(
      recorder.events[0].properties == [
        "mail": "<private>", "list": [["phone": "<private>", "a": 1] as AmbientFields], "b": 2,
        "group": ["mail": "<private>"] as AmbientFields, "Mail": "another name",
      ])
    #expect(
      recorder.trackedEvents[0].user
        == AnalyticsUser("ada", ["mail": "<private>", "plan": "paid"]))
  }

  @Test func `private event properties stay redacted after a redacting event stage`() {
    let analytics = recorder.through(.redacting)
    analytics.track(Event("a", ["mail": .private("ada@example.org"), "b": 1]))
    #expect(recorder.events[0].properties == ["mail": "<private>", "b": 1])
  }

  @Test func `a redacting event stage hides private values even if they are shown on this machine`()
    async
  {
    await #expect(processExitsWith: .success) {
      AmbientPrivacy.isRevealing = true
      let recorder = AnalyticsRecorder()
      let mail = "ada@example.org"
      let fields: AmbientFields = [
        "mail": .private(mail), "list": [.private(1), 2] as [AmbientValue],
        "group": ["mail": .sensitive(mail)] as AmbientFields, "b": 1,
      ]
      // Shown here, and known by its mark still, whichever form the fields have.
      precondition(fields["mail"] == .string(mail) && "\(fields)".contains("mail=<private>"))
      var listed = AmbientFields()
      for field in fields { listed[field.name] = field.value }
      AmbientPrivacy.isRevealing = false
      let mark = AmbientValue.sensitive(mail)
      for form in [fields, listed, fields.merging(["c": 3]), fields.preceded(by: ["c": 3])] {
        Analytics.withUser(AnalyticsUser("ada", form)) {
          recorder.track(Event("a", form))
          recorder.through(.redacting).track(Event("a", form))
        }
        let events = recorder.trackedEvents.suffix(2)
        let hidden: AmbientFields = [
          "mail": "<private>", "list": ["<private>", 2] as [AmbientValue],
          "group": ["mail": mark] as AmbientFields, "b": 1, "c": form["c"],
        ]
        precondition(events.first?.event.properties == form)
        precondition(events.first?.redacted.event == events.last?.event)
        precondition(events.first?.json == events.first?.redacted.json)
        let event = Event("a", form, user: AnalyticsUser("ada", form))
        precondition(!event.json.contains(mail) && event.json.contains("<private>"))
        precondition(events.last?.json.contains(mail) == false)
        precondition(events.last?.event.properties == hidden)
        precondition(events.last?.user?.traits == hidden)
      }
    }
  }

  @Test func `a consent event stage drops and counts events unless the purpose is granted`() {
    let consent = Consent()
    let analytics = recorder.through(.granted(consent, for: .analytics))
    analytics.track(Event("pending"))
    consent.set(.granted, for: .analytics)
    analytics.track(Event("granted"))
    consent.set(.denied, for: .analytics)
    consent.set(.granted, for: .advertising)
    analytics.track(Event("denied"))
    #expect(names == ["granted"] && analytics.withheldEvents == 2)
  }

  @Test func `analytics with an event stage forward flush(), shutdown() and the lost-event count`()
    async
  {
    let probe = Probe()
    let staged = probe.through(.enriching(["a": 1]))
    Analytics.withInstance(staged) { Analytics.track(Event("a")) }
    #expect(probe.calls.withLock { $0 } == ["record", "flush"])
    await staged.shutdown(deadline: .now)
    #expect(probe.calls.withLock { $0 } == ["record", "flush", "shutdown"])
    #expect(staged.lostEvents == 3)
    #expect(!NoAnalytics().through(.redacting).isEnabled)
    MultiAnalytics(NoAnalytics().through(EventStage { _ in fatalError("not wanted") }), recorder)
      .track(Event("wanted"))
    #expect(names == ["wanted"])
    #expect(MultiAnalytics(probe, staged, NoAnalytics()).lostEvents == 6)
  }
}

/// Notes what it is asked for.
private final class Probe: Analytics, @unchecked Sendable {
  let calls = Guarded<[String]>([])

  override var lostEvents: Int { 3 }
  override func record(_ event: TrackedEvent) { calls.withLock { $0.append("record") } }
  override func flush() { calls.withLock { $0.append("flush") } }
  override func shutdown(deadline: ContinuousClock.Instant) async {
    calls.withLock { $0.append("shutdown") }
  }
}

@Suite struct `Event sampling` {
  private func kept(_ share: Double, by key: EventStage.SamplingKey = .user) throws -> [Int] {
    let recorder = AnalyticsRecorder()
    let analytics = recorder.through(try .sampling(share, by: key))
    for number in 0..<4_000 {
      analytics.track(Event("a", ["n": number], user: AnalyticsUser("user-\(number / 2)")))
    }
    return recorder.events.compactMap { event in
      if case .integer(let number)? = event.properties["n"] { Int(number) } else { nil }
    }
  }

  @Test
  func `event sampling keeps all or none of a user's events, and a larger share adds users`()
    throws
  {
    let tenth = Set(try kept(0.1))
    let fifth = Set(try kept(0.2))
    #expect(tenth.allSatisfy { tenth.contains($0 ^ 1) })
    #expect(tenth.isStrictSubset(of: fifth))
    #expect((320...480).contains(tenth.count) && (680...920).contains(fifth.count))
    #expect(try kept(0).isEmpty && kept(1).count == 4_000)
  }

  @Test func `event sampling selects events one by one if requested or if the user is unknown`()
    throws
  {
    let each = try kept(0.5, by: .event)
    #expect((1_800...2_200).contains(each.count))
    #expect(!each.allSatisfy { each.contains($0 ^ 1) })
    let recorder = AnalyticsRecorder()
    let analytics = recorder.through(try .sampling(0.5))
    for _ in 0..<1_000 { analytics.track(Event("nobody's")) }
    #expect((400...600).contains(recorder.events.count))
  }

  @Test func `event sampling by a custom key keeps or drops all events with the same key`() throws {
    let recorder = AnalyticsRecorder()
    let analytics = recorder.through(
      try .sampling(0.5, by: EventStage.SamplingKey { $0.event.properties["session"]?.description })
    )
    for number in 0..<400 { analytics.track(Event("a", ["session": "s\(number / 4)"])) }
    let counts = Dictionary(grouping: recorder.events) { $0.properties["session"] }
    #expect(counts.values.allSatisfy { $0.count == 4 } && (20...80).contains(counts.count))
  }

  @Test(arguments: ["ada", "bob", "", "user-7"])
  func `a user's events are kept only if the sampling share exceeds the user's hash position`(
    id: String
  )
    throws
  {
    let position = EventStage.SamplingKey.position(of: id)
    #expect((0..<1).contains(position))
    for (share, count) in [(position, 0), (position.nextUp, 1)] {
      let recorder = AnalyticsRecorder()
      let analytics = recorder.through(try .sampling(share))
      analytics.track(Event("a", user: AnalyticsUser(id)))
      #expect(recorder.events.count == count && analytics.withheldEvents == 1 - count)
    }
  }

  /// As they must be in every version, or users change sides with an update.
  @Test func `a user's position in event sampling is computed with the documented hash`() {
    #expect(
      abs(EventStage.SamplingKey.position(of: "") - Double(mixed(0xCBF2_9CE4_8422_2325))) < 1e-15)
    #expect(
      abs(EventStage.SamplingKey.position(of: "a") - Double(mixed(0xAF63_DC4C_8601_EC8C))) < 1e-15)
    #expect(
      abs(EventStage.SamplingKey.position(of: "foobar") - Double(mixed(0x8594_4171_F739_67E8)))
        < 1e-15)
  }

  private func mixed(_ hash: UInt64) -> Double {
    var value = hash
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((value ^ (value >> 31)) >> 11) / 9_007_199_254_740_992
  }

  @Test(arguments: [-0.1, 1.1, .nan, .infinity])
  func `an event sampling share outside 0 to 1 throws an error`(share: Double) {
    let error = #expect(throws: SettingError.self) { try EventStage.sampling(share) }
    #expect(error?.code == .share && error?.text == "\(share)")
  }
}
