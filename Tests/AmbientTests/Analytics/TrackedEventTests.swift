// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Tracked event JSON` {
  private static let id = "019AC0DE-0000-7000-8000-000000000001"

  private func tracked(_ event: Event, user: AnalyticsUser? = nil) throws -> TrackedEvent {
    TrackedEvent(
      event, id: try #require(UUID(uuidString: Self.id)),
      date: try Date(iso8601: "2026-11-27T05:00:00.25Z"), user: user)
  }

  @Test func `an event's JSON has a user field only if the event has a user`() throws {
    let event = try tracked(Event("buy", ["value": 1]), user: AnalyticsUser("ada", ["age": 36]))
    #expect(
      event.json == """
        {"id":"\(Self.id)","time":"2026-11-27T05:00:00.250Z","event":"buy",\
        "user":{"id":"ada","traits":{"age":36}},"properties":{"value":1}}
        """)
    #expect(
      Event("a", user: "ada").json
        == #"{"event":"a","user":{"id":"ada","traits":{}},"properties":{}}"#)
    #expect(!(try tracked(Event("a")).json.contains("user")))
  }

  @Test func `the JSON of a tracked event contains the event's anonymous id`() throws {
    let event = try tracked(Event("buy", ["value": 1]), user: "ada").with(anonymousID: "a\"7")
    #expect(
      event.json == """
        {"id":"\(Self.id)","time":"2026-11-27T05:00:00.250Z","event":"buy",\
        "user":{"id":"ada","traits":{}},"anonymous_id":"a\\"7","properties":{"value":1}}
        """)
    let nobodys = try tracked(Event("a")).with(anonymousID: "7")
    #expect(nobodys.with(anonymousID: nil).anonymousID == nil)
    #expect(!event.isAnonymousOfProgram)
  }

  @Test(arguments: [
    (Double.nan, "no date (nan)"), (.infinity, "beyond year 9999 (inf s after 1970)"),
    (252_423_993_600, "beyond year 9999 (253402300800.0 s after 1970)"),
    (252_423_993_599.5, "9999-12-31T23:59:59.500Z"),
    (-63_113_904_000, "0001-01-01T00:00:00.000Z"),
    (-63_113_904_001, "before year 1 (62135596801.0 s before 1970)"),
    (-.infinity, "before year 1 (inf s before 1970)"),
  ])
  func `in the JSON of a tracked event, a date outside years 1 to 9999 is described in words`(
    interval: Double, time: String
  ) throws {
    let event = TrackedEvent(
      Event("a"), id: try #require(UUID(uuidString: Self.id)),
      date: Date(timeIntervalSinceReferenceDate: interval))
    #expect(event.json == #"{"id":"\#(Self.id)","time":"\#(time)","event":"a","properties":{}}"#)
  }
}

@Suite struct `Tracked event values` {
  private let event = TrackedEvent(
    Event("buy", ["value": 1]), id: UUID(), date: Date(timeIntervalSinceReferenceDate: 7),
    user: "ada")

  private func changed(
    _ event: Event? = nil, id: UUID? = nil, date: Date? = nil, user: AnalyticsUser? = "ada"
  ) -> TrackedEvent {
    TrackedEvent(
      event ?? self.event.event, id: id ?? self.event.id, date: date ?? self.event.date, user: user)
  }

  @Test func `tracked events are equal only if all their parts are equal`() {
    #expect(event == changed() && event.hashValue == changed().hashValue)
    #expect(event == changed(Event("buy", ["value": 1], user: "ada"), user: nil))
    #expect(event == event.with(anonymousID: nil))
    for other in [
      changed(Event("sell", ["value": 1])), changed(Event("buy", ["value": 2])),
      changed(id: UUID()), changed(date: event.date + 1), changed(user: "bob"), changed(user: nil),
      event.with(anonymousID: "7"),
    ] {
      #expect(event != other && other == other, "\(other.json)")
    }
    #expect(event.with(anonymousID: "7") != event.with(anonymousID: "8"))
    #expect(event.with(anonymousID: "7") == event.with(anonymousID: "7"))
  }

  @Test func `a tracked event keeps its anonymous id only while its user id is unchanged`() {
    var other = event.with(anonymousID: "7")
    other.user = AnalyticsUser("ada", ["plan": "paid"])
    #expect(other.anonymousID == "7" && other.user?.traits == ["plan": "paid"])
    #expect(other.event.user == nil, "the event named none")
    other.user = "bob"
    #expect(other.anonymousID == nil && other.user == "bob" && other.event.user == nil)
    var own = changed(Event("buy", user: "ada"), user: "bob").with(anonymousID: "7")
    own.user = AnalyticsUser("ada", ["plan": "paid"])
    #expect(own.anonymousID == "7" && own.event.user?.traits == ["plan": "paid"])
    own.user = nil
    #expect(own.anonymousID == nil && own.user == nil && own.event.user == nil)
    var nobodys = changed(user: nil).with(anonymousID: "7")
    nobodys.user = nil
    #expect(nobodys.anonymousID == "7")
  }
}
