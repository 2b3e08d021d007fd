// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `Adobe input validation` {
  private let folder = TemporaryFolder()

  // MARK: - At construction

  @Test(arguments: [
    "", "hidden", "ebebf826-a01f-4458-8cec-ef61de241c9", "ebebf826-a01f-4458-8cec-ef61de241c93\n",
    " ebebf826-a01f-4458-8cec-ef61de241c93", "ebebf826-a01f-4458-8cec-ef61de241c93:",
    "ebebf826-a01f-4458-8cec-ef61de241c93:hidden", "ebebf826-a01f-4458-8cec-ef61de241c93:dev:dev",
    "ebebf826a01f44588cecef61de241c93",
  ])
  func `the error for a malformed Adobe datastream ID doesn't show the ID`(id: String) throws {
    let error = try #require(throws: CollectorError.self) {
      try AdobeAnalytics(datastreamID: id, queue: EventQueue(folder: folder.path("q"), .small))
    }
    #expect("\(error)".contains("“datastreamID”"))
    #expect(!"\(error)".contains("hid"))
  }

  @Test func `the error for white space around an Adobe datastream ID shows the ID`() throws {
    let id = AdobeAnalytics.datastreamID
    let error = try #require(throws: CollectorError.self) {
      try AdobeAnalytics(
        datastreamID: "\(id):dev\n", queue: EventQueue(folder: folder.path("q"), .small))
    }
    #expect("\(error)".contains(#"“\#(id):dev\n”"#), "\(error)")
  }

  @Test(arguments: ["", ":dev", ":stage", ":prod"])
  func `an Adobe datastream ID is accepted with or without an environment suffix`(suffix: String)
    throws
  {
    _ = try AdobeAnalytics(
      datastreamID: AdobeAnalytics.datastreamID + suffix,
      queue: EventQueue(folder: folder.path("q"), .small))
  }

  @Test(arguments: [
    ("", "o", "apiKey"), ("hidden\r\n", "o", "apiKey"), ("hiddén", "o", "apiKey"),
    ("k", "", "organization"), ("k", "hid den", "organization"),
  ])
  func `the error for an invalid Adobe credential names the setting and hides the value`(
    key: String, organization: String, setting: String
  ) throws {
    let credentials = AdobeCredentials(apiKey: key, organization: organization) { "t" }
    let error = try #require(throws: CollectorError.self) {
      try AdobeAnalytics.to(ScriptedTransport([]), folder, credentials: credentials)
    }
    #expect(error.setting == setting, "\(error)")
    #expect(!"\(error)".contains("hid"))
  }

  @Test(arguments: ["", "hidden\n", "hid den"])
  func `the error for an invalid Adobe token doesn't show the token`(token: String) throws {
    let error = try #require(throws: CollectorError.self) {
      try AdobeCredentials.check(token: token)
    }
    #expect(error.setting == "token", "\(error)")
    #expect(!"\(error)".contains("hid"))
  }

  @Test(arguments: [
    (AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("") }, "userNamespace"),
    (
      AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("CRM ID") },
      "userNamespace"
    ),
    (
      AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("ecid") },
      "ECID"
    ),
    (AdobeOptions().with { $0.endpoint = .url("ftp://a") }, "ftp://a"),
    (AdobeOptions().with { $0.endpoint = .url("") }, "“”"),
  ])
  func `an invalid value in AdobeOptions throws an error that describes the fault`(
    options: AdobeOptions, shown: String
  ) throws {
    let error = try #require(throws: CollectorError.self) {
      try AdobeAnalytics.to(ScriptedTransport([]), folder, options)
    }
    #expect("\(error)".contains(shown))
  }

  // MARK: - In events

  @Test func `a nested value that Adobe doesn't support is reported and left out`()
    async throws
  {
    let options = try mapped(["list": [.list(1)], "eVar": [.eVar(1)]])
    let event = Event(
      "a",
      [
        "object": AmbientFields(["a": 1]), "array": [1, 2].ambientValue, "ok": 1,
        "eVar": [1].ambientValue, "list": AmbientValue.array([1, .fields(["b": 2]), .null, "c"]),
      ], user: AnalyticsUser("u", ["address": AmbientFields(["city": "Rome"])]))
    #expect(
      broken(event, options) == [
        "nested properties.object", "nested properties.array", "nested properties.eVar",
        "nested properties.list[1]", "nested properties.list[2]", "nested user.traits.address",
      ])
    #expect(
      try await variables(of: event, options)
        == #"{"list1":"1,c","linkType":"o","linkName":"a","contextData":{"ok":"1","user.id":"u"}}"#)
  }

  @Test func `in Adobe events, unknown currency codes are left out and lowercase codes uppercased`()
    async throws
  {
    let options = try mapped(["currency": [.currencyCode]])
    func sent(_ value: AmbientValue) async throws -> String? {
      try await variables(of: Event("a", ["currency": value]), options)
    }
    for (value, code, rules) in [
      ("XYZ", nil, ["currency-unknown properties.currency"]),
      ("eur", "EUR", ["currency-unknown properties.currency"]), ("JPY", "JPY", []),
    ] as [(AmbientValue, String?, [String])] {
      #expect(broken(Event("a", ["currency": value]), options) == rules)
      let start = code.map { #"{"currencyCode":"\#($0)","# } ?? "{"
      #expect(try await sent(value) == start + #""linkType":"o","linkName":"a"}"#)
    }
  }

  @Test func `an unknown Adobe link type is reported and sent as o (other link)`() async throws {
    let options = try mapped(["type": [.linkType]])
    #expect(broken(Event("a", ["type": "Download"]), options) == [])
    #expect(broken(Event("a", ["type": "x"]), options) == ["link-type-unknown properties.type"])
    #expect(
      try await variables(of: Event("a", ["type": "x"]), options)
        == #"{"linkType":"o","linkName":"a"}"#)
  }

  @Test(arguments: [
    (Event("click"), "name-reserved event “click”"),
    (Event("a", ["type": "x"]), "link-type-unknown properties.type “x”"),
    (
      Event("a", ["order": String(repeating: "x", count: 101)]),
      "text-too-long properties.order 101"
    ),
    (
      Event("a", ["list": Array(repeating: "x", count: 251).ambientValue]),
      "too-many properties.list 251"
    ),
    (Event("a", ["list": "b|c"]), "separator properties.list “b|c”"),
    (Event("a", ["page": "Home", "link": "Buy"]), "page-of-link properties.page both"),
    (Event("a", ["ecid": "1"]), "identity-malformed properties.ecid “1”"),
    (Event("a", ["fpid": "1"]), "identity-malformed properties.fpid “1”"),
    (Event("a", ["client_id": ""]), "identity-malformed properties.client_id “”"),
    (
      Event("a", ["client_id": .private("7")]),
      "identity-malformed properties.client_id “<private>”"
    ),
  ])
  func `the EventProblem for an invalid Adobe field names the rule, field and value`(
    event: Event, problem: String
  ) throws {
    let options = try mapped([
      "type": [.linkType], "order": [.transactionID], "list": [.list(2, delimiter: "|")],
      "page": [.pageName], "link": [.linkName],
    ])
    let problems = EventValidator.adobe(options).problems(in: [event])
    #expect(problems.map { "\($0.rule) \($0.field) \($0.found)" } == [problem])
  }

  @Test func `a text where Adobe needs a number is reported, and numeric text is sent as a number`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    #expect(
      broken(Event("refund", ["value": "12.50"]), options) == ["not-a-number properties.value"])
    #expect(
      try await variables(of: Event("refund", ["value": "12.50"]), options)?
        .contains(#""events":"event2=12.5""#) == true)
    #expect(
      broken(Event("refund", ["value": "much"]), options) == ["not-a-number properties.value"])
    #expect(broken(Event("refund"), options) == ["missing properties.value"])
    #expect(
      try await variables(of: Event("refund"), options)?.contains(#""events":"event2""#) == true)
  }

  @Test func `an Adobe item that isn't an object or has no ID and name is reported and left out`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    let items = AmbientValue.array([
      .null, "mug", .fields(["price": 1]),
      .fields(["item_id": "a", "price": "2", "quantity": "many"]),
    ])
    let event = Event("add_to_cart", ["items": items])
    #expect(
      broken(event, options) == [
        "nested properties.items[0]", "nested properties.items[1]", "missing properties.items[2]",
        "not-a-number properties.items[3].quantity", "not-a-number properties.items[3].price",
      ])
    #expect(
      try await variables(of: event, options)?.contains(#""products":";a;;2""#) == true)
    #expect(
      broken(Event("add_to_cart", ["items": "mug"]), options) == ["nested properties.items"])
  }

  @Test func `an Adobe purchase without items and transaction_id is reported but still sent`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    #expect(
      broken(Event("purchase", ["value": 1]), options) == [
        "missing properties.items", "missing properties.transaction_id",
      ])
    #expect(
      try await variables(of: Event("purchase", ["value": 1]), options)?
        .contains(#""events":"purchase""#) == true)
  }

  @Test func `if two values map to one Adobe variable, only the first is sent`() async throws {
    let options = try mapped(["a": [.eVar(1)], "b": [.eVar(1)]])
    let event = Event("x", ["a": 1, "b": 2])
    #expect(broken(event, options) == ["name-taken properties.b"])
    #expect(
      try await variables(of: event, options) == #"{"eVar1":"1","linkType":"o","linkName":"x"}"#)
  }

  @Test func `under the strict policy, invalid Adobe events are refused and valid ones delivered`()
    async throws
  {
    let reports = Reports()
    let analytics = try AdobeAnalytics.to(
      ScriptedTransport([]), folder, mapped(["long": [.prop(1)]], policy: .strict),
      reports: reports)
    for name in ["good", "order placed"] { analytics.track(Event(name)) }
    for _ in 0..<2 { analytics.track(Event("a", ["long": String(repeating: "x", count: 101)])) }
    analytics.track(Event("a", ["o": AmbientFields(["a": 1])]))
    analytics.track(Event("a", ["a name": 1]))
    analytics.track(Event(""))
    await analytics.finish()
    #expect(analytics.status.delivered == 2)
    let lost = analytics.status.lost.map { "\($0.value) \($0.key.prefix { $0 != ":" })" }
    #expect(
      lost.sorted() == ["1 event", "1 properties.a name", "1 properties.o", "2 properties.long"])
    #expect(reports.all.map(\.kind) == Array(repeating: .undelivered, count: 4))
    #expect(analytics.amendments == [:])
  }

  @Test
  func `changes to invalid Adobe events are counted by rule and reported once for each rule`()
    async throws
  {
    let reports = Reports()
    let analytics = try AdobeAnalytics.to(ScriptedTransport([]), folder, reports: reports)
    for _ in 0..<3 { analytics.track(Event("sale", ["a b": 1])) }
    analytics.track(Event("sale", ["o": AmbientFields(["a": 1])]))
    await analytics.finish()
    #expect(analytics.status.delivered == 4)
    #expect(analytics.amendments == ["name-malformed": 3, "nested": 1])
    #expect(reports.all.map(\.kind) == [.amended, .amended])
    let message = try #require(reports.messages.first)
    #expect(message.hasPrefix("sale, properties.a b: expected a name "), "\(message)")
    #expect(message.contains(", found “a b”; ") && message.contains("a_b"), "\(message)")
  }
}
