// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z"), .analytics(AnalyticsRecorder()))
struct `Event validator` {
  private func problems(
    _ dates: [String], _ options: GoogleOptions = GoogleOptions()
  ) throws -> [EventProblem] {
    let events = try dates.map { try TrackedEvent(Event("a"), at: $0) }
    return EventValidator.google(.web, options).problems(in: events)
  }

  /// A format that makes of each event what it is told.
  private struct Format: EventFormat {
    let make: @Sendable (Event, inout EventInspection) -> EventEntry?

    func write(_ event: TrackedEvent, now: Date, _ inspection: inout EventInspection)
      -> EventEntry?
    { make(event.event, &inspection) }

    /// A format whose events are their names, by that rule.
    static func names(_ rule: NameRule, at field: String = "event") -> Format {
      Format { event, inspection in
        rule.settle(event.name, at: field, &inspection).map { EventEntry(Array($0.utf8)) }
      }
    }
  }

  /// What a format makes of the events that has `note` say what is wrong with each.
  private func noted(
    _ events: [Event], by note: @escaping @Sendable (Event, inout EventInspection) -> Void
  ) -> (Amendments, Reports) {
    let format = Format { event, inspection in
      note(event, &inspection)
      return EventEntry([])
    }
    let reports = Reports()
    let amendments = Amendments("Format")
    Diagnostics.withInstance(reports) {
      for event in events {
        let tracked = TrackedEvent(event, id: AmbientIdentifier.next(), date: Time.now)
        #expect(throws: Never.self) {
          try format.entry(
            for: Array(tracked.json.utf8), now: Time.now, policy: .lenient, amendments)
        }
      }
    }
    return (amendments, reports)
  }

  @Test func `EventValidator.google finds no problem in a valid event`() throws {
    Analytics.track(Event("login", ["method": "password"]))
    let recorder = try AnalyticsRecorder.current
    #expect(EventValidator.google().problems(in: recorder.events).isEmpty)
    #expect(EventValidator.google().problems(in: recorder.trackedEvents).isEmpty)
  }

  @Test func `an EventProblem states event, field, rule, finding, effect and advice`() throws {
    Analytics.track(Event("login", ["how often": "x"]))
    let recorded = try #require(try AnalyticsRecorder.current.trackedEvents.first)
    let problem = try #require(EventValidator.google().problems(in: [recorded]).first)
    #expect(problem.event == "login")
    #expect(problem.id == recorded.id)
    #expect(problem.field == "properties.how often")
    #expect(problem.rule == .nameMalformed)
    #expect(problem.found == "“how often”")
    #expect(problem.effect == .changed(to: "how_often"))
    #expect(
      problem.description == """
        login, properties.how often: expected \(problem.demand), found “how often”; \
        \(problem.effect); \(problem.advice)
        """)
  }

  @Test func `a text that is a single overlong grapheme cluster is cut to its beginning`() throws {
    let long = "e" + String(repeating: "\u{301}", count: 200)
    let problem = EventValidator.google().problems(in: [Event("a", ["text": long])]).first
    let effect = problem?.effect
    let text = if case .changed(let text)? = effect { text } else { "" }
    #expect(text.numbers == [100], "\(String(describing: effect))")
  }

  @Test(.quiet)
  func `a change to an event is counted and reported once even if the event is checked again`()
    throws
  {
    let format = Format.names(NameRule("a name", longest: 3))
    let amendments = Amendments("Format")
    for name in ["first", "second"] {
      let event = try TrackedEvent(Event(name), at: "2026-11-27T05:00:00Z")
      for _ in 0..<3 {
        _ = try format.entry(
          for: Array(event.json.utf8), now: Time.now, policy: .lenient, amendments)
      }
    }
    #expect(amendments.counts.values.reduce(0, +) == 2 && Test.reports.count == 2)
  }

  @Test func `long field names that differ only at the end are reported once, counted separately`()
  {
    let long = String(repeating: "x", count: 10_000)
    let fields = AmbientFields(["\(long)a": 1, "\(long)b": 2, "other": 3])
    let (amendments, reports) = noted([Event("a", fields)]) { event, inspection in
      for field in event.properties {
        inspection.note(
          .nested, at: field.name, needs: "less", found: "more", .kept, "see what it is")
      }
    }
    #expect(amendments.counts == ["nested": 3])
    #expect(reports.all.count == 1)
    #expect(
      reports.messages.first?.contains(/other: .*; [a-z ]*x{100}…; [a-z ]*$/) == true)
  }

  @Test func `an EventProblem shows the start of a long text, with control characters escaped`()
    throws
  {
    let text = "line\n\u{1B}[31m" + String(repeating: "x", count: 200)
    let problem = EventValidator.google().problems(in: [Event("a", ["text": text])]).first
    let shown = try #require(problem).description
    #expect(shown.contains("found 210, “line\\n\\u001b[31mxxx"))
    #expect(shown.contains("…”"))
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 32 })
    #expect(shown.count < 250)
  }

  @Test(arguments: [
    (
      Event("post_score", ["score": "much", "level": "3"]),
      ["not-a-number", "not-a-number", "missing"]
    ),
    (Event("level_up", ["level": "gold"]), ["not-a-number"]),
    (Event("finished", ["level": "gold", "score": "high"]), []),
    (
      Event(
        "purchase", ["transaction_id": "A", "value": 1, "currency": "EUR", "items": .array([])]),
      ["missing"]
    ),
    (Event("search"), ["missing"]), (Event("search", ["search_term": "mug"]), []),
    (Event("post_score"), ["missing"]), (Event("unlock_achievement"), ["missing"]),
    (Event("generate_lead"), ["missing", "missing"]),
    (Event("spend_virtual_currency"), ["missing", "missing"]),
    (Event("spend_virtual_currency", ["value": 5, "virtual_currency_name": "gems"]), []),
    (Event("view_item_list"), ["missing"]),
    (Event("donated", ["value": 5]), ["missing"]),
    (Event("donated", ["value": 5, "currency": "EUR"]), []),
  ])
  func `an event's missing or invalid Google parameters are reported`(event: Event, rules: [String])
  {
    let problems = EventValidator.google().problems(in: [event])
    #expect(problems.map(\.rule.id) == rules, "\(problems)")
  }

  @Test func `for Google, an event that is 73 hours old is too old, and one of 72 hours isn't`()
    throws
  {
    #expect(try problems(["2026-11-24T05:00:00Z"]) == [])
    let late = try problems(["2026-11-24T04:00:00Z"])
    #expect(late.map(\.rule) == [.tooOld])
    #expect(late.map(\.found) == ["73 hours"])
    #expect(late.map(\.effect) == [.moved(to: try Date(iso8601: "2026-11-24T05:00:00Z"))])
    let dropped = try problems(
      ["2026-11-24T04:00:00Z"], GoogleOptions().with { $0.lateEvents = .dropped })
    #expect(dropped.map(\.effect) == [.refused])
  }

  @Test func `a clock that was set back is reported once, not for each later event`() throws {
    let found = try problems([
      "2026-11-27T04:00:00Z", "2026-11-27T04:00:00.400Z", "2026-11-27T04:00:00.100Z",
      "2026-11-27T03:00:00Z", "2026-11-27T03:00:01Z", "2026-11-27T05:00:01Z",
    ])
    #expect(found.map(\.rule) == [.clockSteppedBack, .inFuture])
    #expect(found.first?.found == "2026-11-27T03:00:00.000Z after 2026-11-27T04:00:00.400Z")
    #expect(found.first?.effect == .kept)
    #expect(found.last?.effect == .moved(to: Time.now))
  }

  @Test(arguments: [
    ("04:00:00", "03:59:59", false), ("04:00:00", "03:59:58.999", true),
    ("04:00:00", "03:59:58.500", true), ("04:00:00", "04:00:00", false),
  ])
  func `the clock is reported as set back only if event times go back by more than a second`(
    first: String, second: String, isStep: Bool
  ) throws {
    let found = try problems(["2026-11-27T\(first)Z", "2026-11-27T\(second)Z"])
    #expect(found.map(\.rule) == (isStep ? [.clockSteppedBack] : []))
  }

  @Test
  func `after the clock was set back, an event's time is compared only with times since then`()
    throws
  {
    let found = try problems([
      "2026-11-27T04:00:00Z", "2026-11-27T03:59:59.500Z", "2026-11-27T03:59:58.900Z",
      "2026-11-27T03:59:58Z", "2026-11-27T03:59:57.950Z",
    ])
    #expect(
      found.map(\.found) == ["2026-11-27T03:59:58.900Z after 2026-11-27T04:00:00.000Z"])
  }

  @Test(arguments: [Double.nan, 1e300, -1e300])
  func `an event with an invalid time is refused`(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    let event = TrackedEvent(Event("a"), id: AmbientIdentifier.next(), date: date)
    let found = EventValidator.google().problems(in: [event])
    #expect(found.map(\.rule) == [.unreadable])
    #expect(found.map(\.found) == ["\(seconds) s"] && found.map(\.effect) == [.refused])
  }

  @Test func `an EventProblem shortens a long name and shows no line break in the name`() {
    let name = "a\n\(String(repeating: "b", count: 1_000))"
    let found = EventValidator.google().problems(in: [Event(name, AmbientFields([name: name]))])
    #expect(found.map(\.rule) == [.nameMalformed, .nameMalformed, .textTooLong])
    #expect(found.allSatisfy { $0.description.count < 400 && !$0.description.contains("\n") })
  }

  @Test func `the strict policy refuses an event that it would have to change`() throws {
    let events = [Event("a b"), Event("purchase", ["value": 1])]
    let found = EventValidator.google(.web, GoogleOptions().with { $0.policy = .strict }).problems(
      in: events)
    #expect(found.map(\.effect) == [.refused, .kept, .kept, .kept])
  }

  @Test func `EventValidator checks a private value in its redacted form`() throws {
    let event = Event("a", ["mail": .private(String(repeating: "x", count: 200))])
    #expect(EventValidator.google().problems(in: [event]).isEmpty)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
  func `validation accepts any current time, even infinity or NaN`(seconds: Double) throws {
    let event = try TrackedEvent(Event("a"), at: "2026-11-27T05:00:00Z")
    let now = Date(timeIntervalSince1970: seconds)
    for validator in [EventValidator.google(), .adobe()] {
      let found = validator.problems(in: [event], now: now)
      #expect(found.map(\.rule) == [seconds > 0 ? .tooOld : .inFuture])
      if !(seconds > 0) {
        #expect(found.first?.demand.hasSuffix("0001-01-01T00:00:00.000Z") == true)
      }
    }
    if seconds > 0 {
      // Until the last second of the year 9999.
      let found = EventValidator.google().problems(in: [event], now: now)
      #expect(found.first?.found == "69890706 hours")
    }
  }

  @Test func `if a custom format refuses an event, the refusal names the field at fault`() throws {
    let rule = NameRule("a counter's name", longest: 3)
    let format = Format { event, inspection in
      guard rule.settle("abcd", at: "other", &inspection) != nil else { return nil }
      return Format.names(rule, at: "counter").make(event, &inspection)
    }
    let event = try TrackedEvent(Event(""), at: "2026-11-27T05:00:00Z")
    let found = EventValidator { format }.problems(in: [event])
    #expect(found.map(\.effect) == [.changed(to: "abc"), .refused])
    let refusal = try #require(throws: EventRefusal.self) {
      try format.entry(
        for: Array(event.json.utf8), now: Time.now, policy: .lenient, Amendments("Format"))
    }
    #expect("\(refusal)" == "counter: expected a name")
  }

  @Test func `if a custom format returns nil without an EventProblem, the event is still refused`()
    throws
  {
    let format = Format { _, _ in nil }
    let event = try TrackedEvent(Event("a"), at: "2026-11-27T05:00:00Z")
    #expect(EventValidator { format }.problems(in: [event]) == [])
    for (line, reason) in [
      (event.json, "its format could not write it"),
      ("{}", "its record in the queue cannot be read"),
    ] {
      let refusal = try #require(throws: EventRefusal.self) {
        try format.entry(
          for: Array(line.utf8), now: Time.now, policy: .lenient, Amendments("Format"))
      }
      #expect(refusal == EventRefusal(reason))
    }
  }

  @Test func `after an event with a hundred problems, another event's problem is still reported`() {
    let many = AmbientFields(
      Dictionary(uniqueKeysWithValues: (0..<100).map { ("field\($0)", $0) }))
    let (amendments, reports) = noted([Event("a", many), Event("a", ["other": 1])]) {
      event, inspection in
      for field in event.properties {
        inspection.note(.nested, at: field.name, needs: "a", found: "b", .leftOut, "c")
      }
    }
    #expect(amendments.counts == ["nested": 101])
    #expect(reports.all.count == 2)
    #expect(reports.messages.first?.contains(" and 96 more; ") == true)
    #expect(reports.messages.last?.contains("other") == true)
  }

  @Test
  func `changes to events are reported for at most 32 rules, and further changes are counted`() {
    let (amendments, reports) = noted([Event("a"), Event("b")]) { _, inspection in
      for number in 0..<40 {
        inspection.note(
          EventRule("rule-\(number)"), at: "a", needs: "a", found: "b", .leftOut, "c")
      }
    }
    #expect(reports.all.count == 32)
    #expect(amendments.counts.count == 40 && amendments.counts.values.allSatisfy { $0 == 2 })
  }

  @Test(arguments: [(999, 2), (1_000, 1)])
  func `after 1,000 kinds of changes to events, no further kind of change is reported`(
    kinds: Int, reported: Int
  ) {
    let (amendments, reports) = noted([Event("a"), Event("b")]) { event, inspection in
      for number in 0..<(event.name == "a" ? kinds : 1) {
        inspection.note(.nested, at: "field\(number)", needs: "a", found: "b", .leftOut, "c")
      }
    }
    #expect(reports.all.count == reported)
    #expect(amendments.counts == ["nested": kinds + 1])
  }

  @Test
  func `overlong names that are equal after shortening are reported once, counted separately`() {
    let name = String(repeating: "e", count: 100)
    let (amendments, reports) = noted([Event(name + "a"), Event(name + "b")]) { _, inspection in
      for number in 0..<3 {
        inspection.note(
          .nested, at: String(repeating: "x", count: 200) + "\(number)", needs: "a", found: "b",
          .leftOut, "c")
      }
    }
    #expect(amendments.counts == ["nested": 6])
    #expect(reports.all.count == 1)
  }

  @Test func `an EventValidator for a custom format reports names that the format changes`() throws
  {
    let format = Format.names(NameRule("a name", longest: 3, reserved: ["log"]))
    let found = EventValidator { format }.problems(in: [Event("abc"), Event("abcd"), Event("log")])
    #expect(found.map(\.rule) == [.nameTooLong, .nameReserved])
    #expect(found.map(\.effect) == [.changed(to: "abc"), .changed(to: "x_l")])
  }

  @Test func `an event name is checked against reserved names before and after its correction`() {
    let names = NameRule("a name", longest: 5, reserved: ["a_b", "latest"], prefixes: ["c_"])
    for (name, rule, sent) in [
      ("a b", EventRule.nameMalformed, "x_a_b"), ("a_b", .nameReserved, "x_a_b"),
      ("latest", .nameReserved, "x_lat"), ("latesx", .nameTooLong, "lates"),
      ("c-d", .nameMalformed, "x_c_d"), ("9", .nameMalformed, "x_9"), ("é", .nameMalformed, "x__"),
    ] {
      let found = problems(of: name, names)
      #expect(found.map(\.rule) == [rule], "\(name)")
      #expect(found.map(\.effect) == [.changed(to: sent)], "\(name)")
    }
  }

  /// What a format finds whose events follow that rule for names.
  private func problems(of name: String, _ rule: NameRule) -> [EventProblem] {
    EventValidator { Format.names(rule) }.problems(in: [Event(name)])
  }

  @Test(arguments: [
    ("_a", EventRule.nameMalformed, "x__a"), ("1a", .nameMalformed, "x_1a"),
    ("a.b", .nameMalformed, "a_b"), ("a-b", .nameMalformed, "a_b"),
    ("a123456789", .nameTooLong, "a12345678"),
  ])
  func `a NameRule without reserved names or extra characters checks only form and length`(
    name: String, rule: EventRule, sent: String
  ) {
    let names = NameRule("a name", longest: 9)
    for fitting in ["a", "A_1", "log", "error", "ga_1", "firebase_"] {
      #expect(problems(of: fitting, names) == [])
    }
    let found = problems(of: name, names)
    #expect(found.map(\.rule) == [rule])
    #expect(found.map(\.effect) == [.changed(to: sent)])
  }

  @Test(arguments: [
    ("log", EventRule.nameReserved, "reserved", "x_log"),
    ("ga_b", .nameReserved, "reserved", "x_ga_b"), ("_b", .nameReserved, "reserved", "x__b"),
    ("a b", .nameMalformed, "“.-”", "a_b"), ("a.b-c.d-ef", .nameTooLong, "9", "a.b-c.d-e"),
  ])
  func `the EventProblem for an invalid name states what the broken rule requires`(
    name: String, rule: EventRule, part: String, sent: String
  ) {
    let names = NameRule(
      "a key", longest: 9, reserved: ["log"], prefixes: ["ga_", "_"], marks: ".-")
    #expect(problems(of: "a.b-c", names) == [])
    let found = problems(of: name, names)
    #expect(found.map(\.rule) == [rule])
    #expect(found.map { $0.demand.hasPrefix("a key ") } == [true])
    #expect(found.map { $0.demand.contains(part) } == [true])
    #expect(found.map(\.effect) == [.changed(to: sent)])
  }

  @Test(arguments: [
    (Event(""), "event", "none"), (Event("a", ["": 1]), "properties.", "none"),
    (Event("donated", ["value": 5, "currency": ""]), "properties.currency", "“”"),
  ])
  func `an EventProblem shows an empty event name or value as empty quotation marks`(
    event: Event, field: String, found: String
  ) throws {
    let problem = try #require(EventValidator.google().problems(in: [event]).first)
    #expect(problem.field == field && problem.found == found)
    #expect(problem.description.hasPrefix(event.name.isEmpty ? "“”, " : "\(event.name), "))
  }

  @Test(arguments: [
    (Event("a", ["x": [1, 2].ambientValue]), "nested a list of 2 values"),
    (Event("a", ["x": AmbientFields(["b": 1])]), "nested an object of 1 member"),
    (
      Event("a", ["x": String(repeating: "x", count: 101)]),
      "text-too-long 101, “xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…”"
    ),
    (Event("a", ["tax": "much"]), "not-a-number “much”"),
    (Event("a", ["tax": "3"]), "not-a-number “3”"), (Event("a", ["items": 1]), "nested 1"),
    (Event("a", ["items": [1].ambientValue]), "nested 1"),
    // In capital letters it would be the South Sudanese pound.
    (Event("a", ["currency": "ßp"]), "currency-unknown “ßp”"),
    (Event("a", ["currency": "eur"]), "currency-unknown “eur”"),
  ])
  func `the EventProblem for an invalid value states the expected form`(
    event: Event, problem: String
  ) {
    let problems = EventValidator.google().problems(in: [event])
    #expect(problems.map { "\($0.rule) \($0.found)" } == [problem])
  }

  @Test func `a report shows empty event and field names as empty quotation marks`() {
    let (_, reports) = noted([Event("")]) { _, inspection in
      inspection.note(.nested, at: "", needs: "a", found: "b", .leftOut, "c")
    }
    #expect(reports.messages.map { $0.hasPrefix("“”, “”: expected a; ") } == [true])
  }
}
