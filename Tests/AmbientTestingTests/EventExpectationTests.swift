// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.isolatedAmbients)
struct `Event expectations` {
  let recorder = AnalyticsRecorder()

  init() { Analytics.instance = recorder }

  private func error(of expectations: EventExpectation...) -> UnmetExpectationError? {
    #expect(throws: UnmetExpectationError.self) { try recorder.require(expectations) }
  }

  @Test func `event expectations match in any order by name, user and a subset of the properties`()
    throws
  {
    Analytics.track(Event("view_item", ["item": "coffee"]))
    Analytics.withUser(AnalyticsUser("ada", ["plan": "paid"])) {
      Analytics.track(Event("purchase", ["value": 19.9, "items": 2, "gift": true]))
    }
    #expect(recorder.names == ["view_item", "purchase"])
    let stored: AmbientFields = ["items": 2]
    try recorder.require(
      EventExpectation("purchase", ["gift": true, "value": 19.9, "coupon": nil], user: "ada"),
      EventExpectation("view_item", user: .none))
    try recorder.require(EventExpectation(["items": 2]), EventExpectation(["items": nil]))
    try recorder.require(EventExpectation("purchase", stored, user: .any), EventExpectation())
    try recorder.require([EventExpectation(stored, user: "ada")])
    try recorder.require()
  }

  @Test func `an EventExpectation made from an Event checks the user only if the Event has a user`()
    throws
  {
    Analytics.track(Event("a", ["x": 1, "y": 2], user: "ada"))
    try recorder.require(
      EventExpectation(Event("a", ["x": 1], user: AnalyticsUser("ada", ["z": 3]))))
    try recorder.require(EventExpectation(Event("a", ["y": 2])))
    #expect(
      error(of: EventExpectation(Event("a", ["x": 2], user: "bob")))?.missing[0].differences == [
        "user: expected “bob”, found “ada”", "x: expected 2, found 1",
      ])
  }

  @Test func `event expectations match an event's own user, the user set by withUser() or no user`()
    throws
  {
    Analytics.withUser("ada") {
      Analytics.track(Event("caller's"))
      Analytics.track(Event("own", user: "bob"))
    }
    Analytics.track(Event("none"))
    try recorder.require(
      EventExpectation("caller's", user: .id("ada")), EventExpectation("own", user: "bob"),
      EventExpectation("none", user: .none))
    let missing = error(
      of: EventExpectation("own", user: "ada"), EventExpectation("none", user: "ada"),
      EventExpectation("own", user: .none))?.missing.map(\.differences)
    #expect(
      missing == [
        // Of two events that come as near, the later one is shown.
        ["user: expected “ada”, found “bob”"], ["user: expected “ada”, found none"],
        ["name: expected “own”, found “none”"],
      ])
  }

  @Test func `each tracked event counts for only one event expectation`() {
    Analytics.track(Event("a", ["x": 1]))
    Analytics.track(Event("a"))
    let twice = error(of: EventExpectation("a"), EventExpectation("a"), EventExpectation("a"))
    #expect(twice?.missing.count == 1)
    #expect(twice?.description.contains("\n  expected 3 times, tracked 2 times\n") == true)
    let other = error(of: EventExpectation("a"), EventExpectation("a"), EventExpectation(["x": 1]))
    #expect(other?.missing.count == 1 && other?.missing[0].nearest == nil)
  }

  @Test
  func `an unmet event expectation reports the most similar event with private values hidden`()
    throws
  {
    let none = error(of: EventExpectation(user: .id("a\n")))?.description ?? ""
    Analytics.track(
      Event("purchase", ["order": 41, "mail": .private("ada@example.com"), "in": [1, 2]]))
    Analytics.track(Event("view_item", user: "bob"))
    func text(_ expectation: EventExpectation) -> String {
      error(of: expectation)?.description ?? ""
    }
    try MessageCatalog.expect(
      "Tests, events",
      [
        "No events": none,
        "The nearest event":
          text(
            EventExpectation("purchase", ["order": 42, "in": [1, 3], "to": "ada"], user: "ada")),
        "An event without a field":
          text(EventExpectation(["order": nil, "mail": "<private>"], user: .none)),
      ])
  }

  @Test func `an unmet event expectation reports differences in nested values by their path`() {
    Analytics.track(
      Event(
        "a",
        [
          "in": ["x": 1, "y": 2] as AmbientFields, "list": [1, 2], "same": [1, 2],
          "deep": [["z": 1] as AmbientFields],
        ]))
    let missing = error(
      of: EventExpectation([
        "in": ["x": 1, "w": 3] as AmbientFields, "list": [1], "same": [1, 2],
        "deep": [["z": 2] as AmbientFields], "gone": nil, "list ": nil,
      ]), EventExpectation("b", ["in": nil, "same": [1, 2]]))?.missing
    #expect(
      missing?.first?.differences == [
        "in.w: expected 3, found none", "in.y: expected none, found 2",
        "list: expected [1], found [1,2]", "deep[0].z: expected 2, found 1",
      ])
    #expect(
      missing?.last?.differences.first == "name: expected “b”, found “a”"
        && missing?.last?.differences.count == 2)
  }

  @Test func `in event expectations, NaN matches only NaN, an invalid date only an invalid date`()
    throws
  {
    let (number, date) = (Double.nan, Date(timeIntervalSinceReferenceDate: .nan))
    let group: AmbientFields = ["d": number, "x": 1]
    Analytics.track(Event("nan", ["d": number, "at": date, "in": group, "list": [number, 1.0]]))
    Analytics.track(
      Event("other", ["d": 1.0, "at": Date(timeIntervalSinceReferenceDate: 0), "x": number]))
    try recorder.require(
      EventExpectation("nan", ["d": number, "at": date, "in": group, "list": [number, 1.0]]),
      EventExpectation("other", ["d": 1.0, "at": Date(timeIntervalSinceReferenceDate: 0)]))
    for fields in [
      ["d": 1.0], ["at": Date(timeIntervalSinceReferenceDate: 0)],
      ["in": ["d": number] as AmbientFields], ["in": ["d": number, "x": 2] as AmbientFields],
      ["in": ["d": number, "x": 1, "y": 2] as AmbientFields], ["list": [number]],
      ["list": [number, 2.0]], ["list": [number, 1.0, 1.0]],
    ] as [ExpectedFields] {
      #expect(error(of: EventExpectation("nan", fields)) != nil, "\(fields)")
    }
    for fields in [["d": number], ["at": date], ["x": 1.0]] as [ExpectedFields] {
      #expect(error(of: EventExpectation("other", fields)) != nil, "\(fields)")
    }
  }

  @Test func `an event expectation keeps the last value of a repeated property name`() {
    let expectation = EventExpectation(["a": nil, "a": 1, "b": nil, "b": nil])
    #expect(expectation.description == "any event  a=1 b=none")
    #expect(EventExpectation("a", user: "ada").description == "a  user “ada”")
    #expect(EventExpectation().description == "any event")
  }
}
