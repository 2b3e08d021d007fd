// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `Adobe limits` {
  /// The rules that an event breaks, and where.
  private func text(_ count: Int, _ piece: String = "x") -> String {
    String(repeating: piece, count: count)
  }

  @Test(arguments: [
    (AdobeVariable.eVar(1), "eVar1", 255), (.prop(1), "prop1", 100), (.pageName, "pageName", 100),
    (.pageURL, "pageURL", 255), (.channel, "channel", 100), (.server, "server", 100),
    (.campaign, "campaign", 255), (.referrer, "referrer", 255), (.zip, "zip", 50),
    (.linkName, "linkName", 100), (.linkURL, "linkURL", 255), (.list(1), "list1", 255),
  ])
  func `a text longer than the limit of its Adobe variable is cut and reported`(
    variable: AdobeVariable, name: String, limit: Int
  ) async throws {
    let options = try mapped(["x": [variable]])
    #expect(broken(Event("a", ["x": text(limit)]), options) == [])
    let long = Event("a", ["x": text(limit + 1)])
    #expect(broken(long, options) == ["text-too-long properties.x"])
    let sent = try await variables(of: long, options)
    #expect(sent?.contains(#""\#(name)":"\#(text(limit))""#) == true)
  }

  @Test func `Adobe limits count bytes, and text is cut between grapheme clusters`() async throws {
    let options = try mapped(["x": [.prop(1)]])
    #expect(broken(Event("a", ["x": text(50, "é")]), options) == [])
    #expect(
      broken(Event("a", ["x": text(51, "é")]), options) == ["text-too-long properties.x"])
    // 25 bytes each.
    let families = Event("a", ["x": "y" + text(4, "👨‍👩‍👧‍👦")])
    #expect(broken(families, options) == ["text-too-long properties.x"])
    #expect(
      try await variables(of: families, options)?.contains(#""prop1":"y\#(text(3, "👨‍👩‍👧‍👦"))""#)
        == true)
  }

  @Test func `an event name over 100 bytes is reported if it is sent as an Adobe link name`()
    async throws
  {
    #expect(broken(Event(text(100))) == [])
    #expect(broken(Event(text(101))) == ["text-too-long event"])
    let page = try mapped(["x": [.pageName]])
    #expect(broken(Event(text(101), ["x": "Home"]), page) == [])
  }

  @Test func `invalid names of Adobe context data are corrected, and long values are sent whole`()
    async throws
  {
    let event = Event(
      "a",
      [
        "long": text(5_000), "a b": 1, "a.x": 2, "b.y": 3, "3d": 4, "größe": 5, "": 6,
        "Plan": 7, "plan": 8,
      ])
    #expect(
      broken(event) == [
        "name-malformed properties.a b", "name-reserved properties.a.x",
        "name-malformed properties.3d", "name-malformed properties.größe",
        "name-malformed properties.", "name-taken properties.plan",
      ])
    #expect(
      try await variables(of: event)?.hasSuffix(
        #""a_b":"1","x_a.x":"2","b.y":"3","x_3d":"4","gr__e":"5","Plan":"7"}}"#) == true)
  }

  @Test(arguments: [
    ("A17", "A17"), ("12345678901234567890", "12345678901234567890"),
    ("123456789012345678901", "e28721bde3c3acbc5b83"), ("A-17", "2425e5c12a2f489af3bc"),
    ("ä", "1bcde1b38a1cc0d2ca35"),
    ("01A1F9E6-9280-7D9C-A6FC-EDF527C19B83", "9fc4ca858f120c5606f7"),
  ])
  func `an Adobe purchase ID is hashed unless it consists of at most 20 letters and digits`(
    id: String, sent: String
  ) async throws {
    let options = AdobeOptions().with { $0.mapping = .shop }
    let items = [["item_id": "a"] as AmbientFields].ambientValue
    let event = Event("purchase", ["transaction_id": id, "items": items])
    #expect(broken(event, options) == [])
    let body = try #require(try await bodies(of: [event], options).first)
    let key = try #require(body.firstMatch(of: /"analytics":\{"purchaseID":"([^"]*)"/)?.output.1)
    // Always the same, in every process: Adobe counts by it.
    #expect(key == sent)
    #expect(key.wholeMatch(of: /[0-9A-Za-z]{1,20}/) != nil)
    #expect(body.contains(#""transactionID":"\#(id)""#))
    #expect(body.contains(#""order":{"purchaseID":"\#(id)""#))
  }

  @Test func `an Adobe transaction ID over 100 bytes is left out rather than cut`() async throws {
    let options = try mapped(["x": [.transactionID]])
    #expect(broken(Event("a", ["x": text(100)]), options) == [])
    let long = Event("a", ["x": text(101)])
    #expect(broken(long, options) == ["text-too-long properties.x"])
    #expect(
      try await variables(of: long, options) == #"{"linkType":"o","linkName":"a"}"#)
  }

  @Test func `an Adobe list with over 250 values or a value of over 255 bytes is reported`()
    async throws
  {
    let options = try mapped(["x": [.list(2, delimiter: "|")]])
    func event(_ count: Int, _ length: Int) -> Event {
      Event("a", ["x": (0..<count).map { _ in text(length) }.ambientValue])
    }
    #expect(broken(event(100, 255), options) == [])
    #expect(broken(event(250, 1), options) == [])
    #expect(broken(event(251, 1), options) == ["too-many properties.x"])
    #expect(
      try await variables(of: event(251, 1), options)?.matches(of: /\|/).count == 249)
    #expect(broken(event(2, 256), options).first == "text-too-long properties.x[0]")
  }

  @Test func `an Adobe product ID or category over 100 bytes is cut and reported`() async throws {
    let options = AdobeOptions().with { $0.mapping = .shop }
    func event(_ id: Int, _ category: Int) -> Event {
      let item = AmbientFields(["item_id": text(id), "item_category": text(category)])
      return Event("view_item", ["items": [item].ambientValue])
    }
    #expect(broken(event(100, 100), options) == [])
    #expect(
      broken(event(101, 101), options) == [
        "text-too-long properties.items[0].item_id",
        "text-too-long properties.items[0].item_category",
      ])
    #expect(
      try await variables(of: event(101, 101), options)?.contains(
        #""products":"\#(text(100));\#(text(100))""#) == true)
  }

  @Test func `separator characters in Adobe products, lists and transaction IDs become spaces`()
    async throws
  {
    let mapping = try AdobeMapping(variables: [
      "list": [.list(1)], "order": [.transactionID], "free": [.eVar(1)],
    ])
    let options = AdobeOptions().with { $0.mapping = .shop.adding(mapping) }
    let items: [AmbientFields] = [
      ["item_name": "House blend, 250 g; dark|fine", "item_id": nil],
      ["item_name": "a, b; c|d", "item_id": "b"],
    ]
    let event = Event(
      "view_item",
      [
        "items": items.ambientValue, "list": ["a,b", "c;d"].ambientValue, "order": "1,2",
        "free": "a,b;c|d",
      ])
    #expect(
      broken(event, options) == [
        "separator properties.list[0]", "separator properties.order",
        "separator properties.items[0].item_name",
      ])
    let sent = try await bodies(of: [event], options).first
    #expect(sent?.contains(#""products":";House blend 250 g dark fine,;b""#) == true)
    #expect(sent?.contains(#""list1":"a b,c;d","transactionID":"1 2","eVar1":"a,b;c|d""#) == true)
    #expect(sent?.contains(#"{"SKU":"b","name":"a, b; c|d"}"#) == true)
  }

  @Test func `an Adobe event of 60,000 bytes is refused, and one of 59,999 bytes is sent`()
    async throws
  {
    func event(_ count: Int) -> Event { Event("a", ["x": text(count)]) }
    let base = try #require(try await bodies(of: [event(0)], AdobeOptions()).first).utf8.count
    // An identity has 36 characters, and not two.
    let left = 59_999 - base - 34
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let transport = ScriptedTransport([])
    let reports = Reports()
    let analytics = try AdobeAnalytics.to(transport, folder, reports: reports)
    analytics.track(event(left + 1))
    analytics.track(event(left))
    await analytics.finish()
    #expect(transport.bodies.map(\.utf8.count) == [59_999])
    #expect(analytics.status.lost == ["event: expected fewer than 60000 bytes": 1])
    #expect(reports.all.map(\.kind) == [.undelivered])
    #expect(broken(event(left + 1)) == ["too-large event"])
  }
}
