// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `Google limits` {
  /// The rules that an event breaks, and where, beside what every event has.
  private func broken(
    _ event: Event, _ stream: GoogleStream = .web, _ options: GoogleOptions = GoogleOptions()
  ) -> [String] {
    EventValidator.google(stream, options).problems(in: [event]).map { "\($0.rule) \($0.field)" }
  }

  private func text(_ count: Int, _ piece: String = "x") -> String {
    String(repeating: piece, count: count)
  }

  private func fields(_ count: Int, _ prefix: String = "p") -> AmbientFields {
    AmbientFields(Dictionary(uniqueKeysWithValues: (0..<count).map { ("\(prefix)\($0)", $0) }))
  }

  // MARK: - Names

  @Test func `a Google event name over 40 characters is cut and reported`() async throws {
    #expect(broken(Event(text(40))) == [])
    #expect(broken(Event(text(41))) == ["name-too-long event"])
    let sent = try await bodies(of: [Event(text(41))]).first
    #expect(sent?.contains(#""name":"\#(text(40))""#) == true)
  }

  @Test func `a Google parameter name over 40 characters is reported, in events and in items`()
    async throws
  {
    #expect(broken(Event("a", AmbientFields([text(40): 1]))) == [])
    #expect(
      broken(Event("a", AmbientFields([text(41): 1]))) == [
        "name-too-long properties.\(text(41))"
      ])
    #expect(
      try await parameters(of: Event("a", AmbientFields([text(41): 1]))) == #"{"\#(text(40))":1}"#)
    let item = AmbientFields([text(41): 1]).merging(["item_id": "1"])
    #expect(
      broken(Event("a", ["items": [item].ambientValue])) == [
        "name-too-long properties.items[0].\(text(41))"
      ])
  }

  @Test func `a Google user property name over 24 characters is reported`() {
    #expect(broken(Event("a", user: AnalyticsUser("u", AmbientFields([text(24): 1])))) == [])
    #expect(
      broken(Event("a", user: AnalyticsUser("u", AmbientFields([text(25): 1])))) == [
        "name-too-long user.traits.\(text(25))"
      ])
  }

  @Test(arguments: [
    ("session_start", "x_session_start", "name-reserved"),
    ("error", "x_error", "name-reserved"),
    ("ga_something", "x_ga_something", "name-reserved"),
    ("_hidden", "x__hidden", "name-reserved"),
    ("order placed", "order_placed", "name-malformed"),
    ("3d_view", "x_3d_view", "name-malformed"),
    ("größe", "gr__e", "name-malformed"), ("a.b-c", "a_b_c", "name-malformed"),
  ])
  func `a reserved or malformed Google event name is corrected and reported`(
    name: String, sent: String, rule: String
  ) async throws {
    #expect(broken(Event(name)) == ["\(rule) event"])
    #expect(try await bodies(of: [Event(name)]).first?.contains(#""name":"\#(sent)""#) == true)
  }

  @Test(arguments: ["ad_impression", "in_app_purchase", "screen_view"])
  func `some event names are reserved in Google web streams but allowed in app streams`(
    name: String
  ) {
    #expect(broken(Event(name), .app) == [])
    #expect(broken(Event(name)) == ["name-reserved event"])
  }

  @Test func `a reserved Google parameter or user property name gets the prefix x_`() async throws {
    let properties: AmbientFields = [
      "firebase_conversion": 1, "google_x": 2, "gtag.x": 3, "ok": 4, "gtag_x": 5, "": 6,
    ]
    let user = AnalyticsUser("u", ["user_id": 1, "ga_x": 2, "first_open_after_installation": 3])
    #expect(
      broken(Event("a", properties, user: user)) == [
        "name-reserved properties.firebase_conversion", "name-reserved properties.google_x",
        "name-reserved properties.gtag.x", "name-malformed properties.",
        "name-reserved user.traits.user_id", "name-reserved user.traits.ga_x",
        "name-too-long user.traits.first_open_after_installation",
      ])
    let sent = try await bodies(of: [Event("a", properties, user: user)]).first
    #expect(
      sent?.contains(
        #""params":{"x_firebase_conversion":1,"x_google_x":2,"x_gtag_x":3,"ok":4,"gtag_x":5}"#)
        == true)
    #expect(
      sent?.contains(
        #"{"x_user_id":{"value":1},"x_ga_x":{"value":2},"x_first_open_after_insta":{"value":3}}"#)
        == true)
  }

  @Test func `if corrected Google parameter names collide, only one parameter is sent`()
    async throws
  {
    let event = Event("a", ["a b": 1, "a_b": 2, "a-b": 3])
    #expect(
      broken(event) == [
        "name-malformed properties.a b", "name-taken properties.a b",
        "name-malformed properties.a-b", "name-taken properties.a-b",
      ])
    // The one that is called so.
    #expect(try await parameters(of: event) == #"{"a_b":2}"#)
    #expect(try await parameters(of: Event("a", ["a b": 1, "a-b": 3])) == #"{"a_b":1}"#)
  }

  @Test(.withoutSanitizer)
  func `of a Google event's 20,000 parameters, 25 are sent, among them the one called value`()
    async throws
  {
    let many = AmbientFields(
      Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("p\($0)", $0) }))
    let event = Event("a", many.merging(["value": 1]))
    let sent = try #require(try await parameters(of: event))
    #expect(sent.matches(of: /"p?[a-z0-9]+":/).count == 25)
    #expect(sent.hasSuffix(#""value":1}"#))
  }

  // MARK: - Numbers of things

  @Test func `session_id and engagement_time_msec count toward a Google event's 25 parameters`()
    async throws
  {
    #expect(broken(Event("a", fields(23))) == [])
    #expect(broken(Event("a", fields(24))) == ["too-many properties.p9"])
    let without = GoogleOptions().with {
      $0.session = .none
      $0.engagement = nil
    }
    #expect(broken(Event("a", fields(25)), .web, without) == [])
    let late: AmbientFields = ["value": 1, "currency": "EUR"]
    let event = Event("a", fields(24).merging(late))
    #expect(broken(event, .web, without) == ["too-many properties.p9"])
    let sent = try #require(try await parameters(of: event))
    #expect(sent.contains("\"value\":1,\"currency\":\"EUR\"}"))
    #expect(sent.matches(of: /"p?[a-z0-9]+":/).count == 25)
  }

  @Test func `user properties beyond the 25th of a Google user are reported`() {
    #expect(broken(Event("a", user: AnalyticsUser("u", fields(25)))) == [])
    #expect(
      broken(Event("a", user: AnalyticsUser("u", fields(26)))) == ["too-many user.traits.p9"])
  }

  @Test func `custom parameters beyond the tenth of a Google item are reported`() {
    let item: AmbientFields = ["item_id": "1", "price": 2, "item_brand": "b"]
    #expect(broken(Event("a", ["items": [item.merging(fields(10))].ambientValue])) == [])
    #expect(
      broken(Event("a", ["items": [item, item.merging(fields(11))].ambientValue])) == [
        "too-many properties.items[1].p9"
      ])
  }

  @Test func `items beyond the 200th of a Google event are left out and reported`() async throws {
    func event(_ count: Int) -> Event {
      Event("a", ["items": (0..<count).map { AmbientFields(["item_id": "\($0)"]) }.ambientValue])
    }
    #expect(broken(event(200)) == [])
    #expect(broken(event(201)) == ["too-many properties.items"])
    let sent = try await parameters(of: event(201))
    #expect(sent?.hasSuffix(#"{"item_id":"199"}]}"#) == true)
  }

  // MARK: - Values

  @Test(arguments: [
    ("text", 100), ("page_title", 300), ("page_referrer", 420), ("page_location", 1_000),
  ])
  func `a Google parameter value over the parameter's length limit is cut and reported`(
    name: String, limit: Int
  )
    async throws
  {
    #expect(broken(Event("a", AmbientFields([name: text(limit)]))) == [])
    #expect(
      broken(Event("a", AmbientFields([name: text(limit + 1)]))) == [
        "text-too-long properties.\(name)"
      ])
    let sent = try await parameters(of: Event("a", AmbientFields([name: text(limit + 1)])))
    #expect(sent == #"{"\#(name)":"\#(text(limit))"}"#)
  }

  @Test func `Google limits count Unicode scalars, and text is cut between grapheme clusters`()
    async throws
  {
    // Two bytes each, and of seven scalars.
    #expect(broken(Event("a", ["text": text(100, "é")])) == [])
    let families = Event("a", ["text": text(15, "👨‍👩‍👧‍👦")])
    #expect(broken(families) == ["text-too-long properties.text"])
    #expect(try await parameters(of: families) == #"{"text":"\#(text(14, "👨‍👩‍👧‍👦"))"}"#)
  }

  @Test func `a parameter value over 100 characters in a Google item is reported`() {
    for (count, expected) in [(100, []), (101, ["text-too-long properties.items[0].item_id"])] {
      let item: AmbientFields = ["item_id": text(count)]
      #expect(broken(Event("a", ["items": [item].ambientValue])) == expected)
    }
  }

  @Test func `a Google user ID over 256 characters or user property over 36 is reported`()
    async throws
  {
    func event(_ id: Int, _ value: Int) -> Event {
      Event("a", user: AnalyticsUser(text(id), ["plan": text(value)]))
    }
    #expect(broken(event(256, 36)) == [])
    #expect(broken(event(257, 37)) == ["text-too-long user.id", "text-too-long user.traits.plan"])
    // The beginning of an id is somebody else's.
    #expect(try await bodies(of: [event(257, 1)]).first?.contains("user_id") == false)
    #expect(broken(Event("a", user: "")) == ["identity-malformed user.id"])
  }

  @Test func `a Google event of 130,000 bytes or more is refused`() async throws {
    func event(_ count: Int, _ rest: Int) -> Event {
      let items = (0..<count).map { _ in
        fields(10).merging(
          AmbientFields(
            Dictionary(
              uniqueKeysWithValues: (0..<10).map {
                ("p\($0)", text(100))
              })))
      }
      let last: AmbientFields = ["item_id": text(rest)]
      return Event("a", ["items": (items + [last]).ambientValue])
    }
    let base = try #require(try await bodies(of: [event(120, 0)]).first).utf8.count
    let left = 129_999 - base
    try #require((0...90).contains(left), "\(left)")
    let fitting = try await bodies(of: [event(120, left)])
    #expect(fitting.map(\.utf8.count) == [129_999])
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let analytics = try GoogleAnalytics.to(
      ScriptedTransport([]), folder,
      GoogleOptions().with {
        $0.session = .none
        $0.engagement = nil
      })
    analytics.track(event(120, left + 1))
    await analytics.finish()
    #expect(analytics.status.lost == ["event: expected fewer than 130000 bytes": 1])
  }
}
