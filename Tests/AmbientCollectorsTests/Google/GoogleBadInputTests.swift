// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `Google input validation` {
  private let folder = TemporaryFolder()

  private func broken(_ event: Event) -> [String] {
    EventValidator.google().problems(in: [event]).map { "\($0.rule) \($0.field)" }
  }

  // MARK: - At construction

  @Test(arguments: [
    ("", "s", "1.2", "measurementID"), ("hidden", "G-TEST12345", "1.2", "measurementID"),
    ("UA-1234-5", "s", "1.2", "measurementID"),
    ("g-12345abcde", "s", "1.2", "measurementID"), ("G-1234567890\n", "s", "1.2", "measurementID"),
    ("G-TEST12345", "", "1.2", "apiSecret"), ("G-TEST12345", "hidden\n", "1.2", "apiSecret"),
    ("G-TEST12345", "hid den", "1.2", "apiSecret"), ("G-TEST12345", "hiddén", "1.2", "apiSecret"),
    ("G-TEST12345", "s", "mine", "clientID"), ("G-TEST12345", "s", "1.0", "clientID"),
    ("G-TEST12345", "s", "1.2.3", "clientID"), ("G-TEST12345", "s", "-1.2", "clientID"),
  ])
  func `the error for an invalid Google setting names the setting and hides the value`(
    id: String, secret: String, client: String, setting: String
  ) throws {
    let queue = try EventQueue(
      folder: folder.path("q"), EventQueue.Options().with { $0.clientID = client })
    let error = try #require(throws: CollectorError.self) {
      try GoogleAnalytics(measurementID: id, apiSecret: secret, queue: queue)
    }
    #expect(error.setting == setting, "\(error)")
    #expect(!"\(error)".contains("hid"))
  }

  @Test func `a Google measurement ID is accepted only with 4 to 20 letters or digits after G-`()
    throws
  {
    for count in [3, 4, 20, 21] {
      let id = "G-" + String(repeating: "A", count: count)
      let analytics = try? GoogleAnalytics(
        measurementID: id, apiSecret: "s",
        queue: EventQueue(folder: folder.path("\(count)"), .small),
        transport: ScriptedTransport([]))
      #expect((analytics != nil) == (4...20).contains(count), "\(id)")
    }
  }

  @Test(arguments: [
    (" G-1234567890", "“ G-1234567890”"), ("G-1234567890\n", #"“G-1234567890\n”"#),
    ("\u{A0}G-1234567890\r\t", #"“\u{a0}G-1234567890\r\t”"#), ("\n", "“measurementID”"),
    ("G-1234567890\nhidden", "“measurementID”"),
  ])
  func `the error for white space around a Google measurement ID shows the ID`(
    id: String, part: String
  )
    throws
  {
    let error = try #require(throws: CollectorError.self) {
      try GoogleAnalytics(
        measurementID: id, apiSecret: "s", queue: EventQueue(folder: folder.path("q"), .small))
    }
    #expect("\(error)".contains(part), "\(error)")
    #expect(!"\(error)".contains("hid"))
  }

  @Test(arguments: [
    ("1:12:ios:a1 ", "0123456789abcdef0123456789abcdef", "“1:12:ios:a1 ”"),
    ("1:12:ios:a1", "0123456789abcdef0123456789abcdef\n", #"abcdef\n”"#),
  ])
  func `the error for white space around a Firebase app ID shows the ID`(
    app: String, instance: String, part: String
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try GoogleAnalytics(
        firebaseAppID: app, appInstanceID: instance, apiSecret: "s",
        queue: EventQueue(folder: folder.path("q"), .small))
    }
    #expect("\(error)".contains(part), "\(error)")
  }

  @Test(arguments: [
    ("1:12:android:xyz", "0123456789abcdef0123456789abcdef", "firebaseAppID"),
    ("G-TEST12345", "0123456789abcdef0123456789abcdef", "firebaseAppID"),
    ("1:12:ios:a1", "0123456789abcdef0123456789abcde", "appInstanceID"),
    ("1:12:ios:a1", "0123456789abcdef0123456789abcdeg", "appInstanceID"),
  ])
  func `the error for an invalid firebaseAppID or appInstanceID names the setting`(
    app: String, instance: String, setting: String
  ) throws {
    let queue = try EventQueue(folder: folder.path("q"), .small)
    let error = try #require(throws: CollectorError.self) {
      try GoogleAnalytics(
        firebaseAppID: app, appInstanceID: instance, apiSecret: "s", queue: queue)
    }
    #expect("\(error)".contains("“\(setting)”"))
  }

  @Test(arguments: [
    (GoogleOptions().with { $0.session = .fixed("abc") }, "session"),
    (GoogleOptions().with { $0.engagement = .seconds(-1) }, "engagement"),
    (GoogleOptions().with { $0.endpoint = .url("ftp://a") }, "ftp://a"),
    (GoogleOptions().with { $0.endpoint = .url("") }, "“”"),
  ])
  func `an invalid value in GoogleOptions throws an error that describes the fault`(
    options: GoogleOptions, shown: String
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try GoogleAnalytics.to(ScriptedTransport([]), folder, options)
    }
    #expect("\(error)".contains(shown))
  }

  // MARK: - In events

  @Test func `a nested value that Google doesn't support is reported and left out`()
    async throws
  {
    let event = Event(
      "a",
      [
        "object": AmbientFields(["a": 1]), "list": [1, 2].ambientValue, "ok": 1,
        "items": [AmbientFields(["item_id": "1", "tags": [1].ambientValue])].ambientValue,
      ])
    #expect(
      broken(event) == [
        "nested properties.object", "nested properties.list", "nested properties.items[0].tags",
      ])
    #expect(try await parameters(of: event) == #"{"ok":1,"items":[{"item_id":"1"}]}"#)
    let user = AnalyticsUser("u", ["address": AmbientFields(["city": "Rome"])])
    #expect(broken(Event("a", user: user)) == ["nested user.traits.address"])
  }

  @Test func `a null property of a Google event is ignored, and an invalid item is reported`()
    async throws
  {
    #expect(broken(Event("a", ["none": AmbientValue.null])) == [])
    let items = AmbientValue.array([.null, "coffee", .fields(["item_name": "mug"])])
    #expect(
      broken(Event("a", ["items": items])) == [
        "nested properties.items[0]", "nested properties.items[1]",
      ])
    #expect(
      try await parameters(of: Event("a", ["items": items])) == #"{"items":[{"item_name":"mug"}]}"#)
    #expect(broken(Event("a", ["items": "mug"])) == ["nested properties.items"])
    #expect(
      broken(Event("a", ["items": [AmbientFields(["price": 1])].ambientValue])) == [
        "missing properties.items[0]"
      ])
  }

  @Test
  func `in Google events, unknown currency codes are left out and lowercase codes uppercased`()
    async throws
  {
    #expect(broken(Event("a", ["currency": "XYZ"])) == ["currency-unknown properties.currency"])
    #expect(try await parameters(of: Event("a", ["currency": "XYZ"])) == "{}")
    #expect(try await parameters(of: Event("a", ["currency": 5])) == "{}")
    #expect(broken(Event("a", ["currency": "usd"])) == ["currency-unknown properties.currency"])
    #expect(try await parameters(of: Event("a", ["currency": "usd"])) == #"{"currency":"USD"}"#)
    #expect(broken(Event("a", ["currency": "JPY"])) == [])
  }

  @Test func `for a Google amount, numeric text is sent as a number and other text is left out`()
    async throws
  {
    let event = Event("a", ["value": "12.50", "tax": "much", "shipping": Double.nan, "price": 1])
    #expect(
      broken(event) == [
        "not-a-number properties.value", "not-a-number properties.tax",
        "not-a-number properties.shipping", "missing properties.currency",
      ])
    #expect(try await parameters(of: event) == #"{"value":12.5,"price":1}"#)
  }

  @Test func `a Google purchase without currency, items and transaction_id is reported and sent`()
    async throws
  {
    #expect(
      broken(Event("purchase", ["value": 1])) == [
        "missing properties.currency", "missing properties.items",
        "missing properties.transaction_id",
      ])
    #expect(try await parameters(of: Event("purchase", ["value": 1])) == #"{"value":1}"#)
  }

  @Test(arguments: ["mine", "1.", "0.0", ".5"])
  func `a Google event with an invalid client_id is refused`(client: String) async throws {
    #expect(
      broken(Event("a", ["client_id": client])) == [
        "identity-malformed properties.client_id"
      ])
    let user = AnalyticsUser("u", AmbientFields(["client_id": client]))
    #expect(broken(Event("a", user: user)) == ["identity-malformed user.traits.client_id"])
    #expect(try await bodies(of: [Event("a", user: user)]) == [])
  }

  @Test(arguments: [
    (Event("search"), "missing properties.search_term none"),
    (
      Event("select_item", ["items": AmbientValue.array([])]),
      "missing properties.items an empty list"
    ),
    (Event("a", ["value": 5]), "missing properties.currency none"),
    (
      Event("a", ["items": [AmbientFields(["price": 1])].ambientValue]),
      "missing properties.items[0] none"
    ),
    (
      Event("a", ["transaction_id": ""]), "value-malformed properties.transaction_id an empty text"
    ),
    (Event("a", ["client_id": "mine"]), "identity-malformed properties.client_id “mine”"),
    (Event("a", ["session_id": "mine"]), "identity-malformed properties.session_id “mine”"),
  ])
  func `the EventProblem for an invalid Google field names the rule, field and value`(
    event: Event, problem: String
  ) {
    let problems = EventValidator.google().problems(in: [event])
    #expect(problems.map { "\($0.rule) \($0.field) \($0.found)" } == [problem])
  }

  @Test(arguments: ["", .private("4711")] as [AmbientValue])
  func `an empty or private transaction_id is reported and left out of a Google event`(
    _ id: AmbientValue
  ) async throws {
    let items = [["item_id": "a"] as AmbientFields].ambientValue
    for name in ["purchase", "refund"] {
      let event = Event(
        name, ["transaction_id": id, "value": 1, "currency": "USD", "items": items])
      #expect(broken(event) == ["missing properties.transaction_id"])
      #expect(try await parameters(of: event)?.contains("transaction_id") == false)
    }
    let other = Event("sign_up", ["transaction_id": id])
    #expect(broken(other) == ["value-malformed properties.transaction_id"])
    #expect(try await parameters(of: other)?.contains("transaction_id") == false)
    // Google cannot know it again, so it is not sent again.
    let transport = ScriptedTransport([.failure(.unknown, "the connection was lost")])
    let analytics = try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.unknownOutcome = .dropped })
    analytics.track(Event("purchase", ["transaction_id": ""]))
    await analytics.finish()
    #expect(analytics.lostEvents == 1)
  }

  @Test func `a Google property whose corrected name is session_id or client_id is left out`()
    async throws
  {
    let event = Event("a", ["session id": "5", "client id": "1.2", "ok": 1])
    #expect(
      broken(event) == [
        "name-malformed properties.session id", "name-taken properties.session id",
        "name-malformed properties.client id", "name-taken properties.client id",
      ])
    #expect(try await parameters(of: event) == #"{"ok":1}"#)
  }

  @Test func `an invalid Google session_id is replaced by a generated session_id`() async throws {
    let event = Event("a", ["session_id": "first"])
    #expect(broken(event) == ["identity-malformed properties.session_id"])
    #expect(
      try await bodies(of: [event], GoogleOptions()).first?
        .contains(#""session_id":"1795755600""#) == true)
  }

  @Test func `under the strict policy, invalid Google events are refused and valid ones delivered`()
    async throws
  {
    let reports = Reports()
    let transport = ScriptedTransport([])
    let analytics = try GoogleAnalytics.to(
      transport, folder, GoogleOptions().with { $0.policy = .strict }, reports: reports)
    for name in ["good", "order placed", "good", "order placed"] { analytics.track(Event(name)) }
    analytics.track(Event("good", ["o": AmbientFields(["a": 1])]))
    analytics.track(Event(""))
    await analytics.finish()
    #expect(analytics.status.delivered == 2)
    let lost = analytics.status.lost.map { "\($0.value) \($0.key.prefix { $0 != ":" })" }
    #expect(lost.sorted() == ["1 event", "1 properties.o", "2 event"])
    #expect(reports.all.map(\.kind) == [.undelivered, .undelivered, .undelivered])
    #expect(analytics.amendments == [:])
  }

  @Test
  func `changes to invalid Google events are counted, and reported once for each event name`()
    async throws
  {
    let reports = Reports()
    let analytics = try GoogleAnalytics.to(ScriptedTransport([]), folder, reports: reports)
    for _ in 0..<3 { analytics.track(Event("order placed", ["a b": 1])) }
    analytics.track(Event("order-placed"))
    await analytics.finish()
    #expect(analytics.amendments == ["name-malformed": 7])
    #expect(reports.all.map(\.kind) == [.amended, .amended])
    let message = try #require(reports.messages.first)
    #expect(message.hasPrefix("order placed, event: expected an event name "), "\(message)")
    #expect(message.contains(", found “order placed”; "), "\(message)")
    #expect(message.contains("order_placed") && message.contains(" properties.a b; "))
  }

  @Test func `a report about a value that was changed for Google doesn't show the value`()
    async throws
  {
    let reports = Reports()
    let analytics = try GoogleAnalytics.to(ScriptedTransport([]), folder, reports: reports)
    analytics.track(
      Event("sale", ["note": .string(String(repeating: "ada@example.com ", count: 99))]))
    await analytics.finish()
    #expect(analytics.amendments == ["text-too-long": 1])
    let message = try #require(reports.messages.first)
    #expect(message.contains("sale, properties.note: expected") && !message.contains("ada"))
  }
}
