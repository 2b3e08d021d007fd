// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00Z")) struct `Adobe values` {
  private func purchase(_ fields: AmbientFields, _ items: AmbientFields...) -> Event {
    Event("purchase", fields.merging(["items": items.ambientValue]))
  }

  // MARK: - Empty texts

  @Test(arguments: ["", .private("4711")] as [AmbientValue])
  func `an empty or private Adobe transaction ID or serialization key is reported as missing`(
    _ id: AmbientValue
  ) async throws {
    let options = AdobeOptions().with { $0.mapping = .shop }
    let event = purchase(["transaction_id": id], ["item_id": "a", "price": 5])
    let missing = "missing properties.transaction_id"
    #expect(
      broken(event, options).sorted()
        == (id == "" ? [missing] : [missing, "value-malformed properties.transaction_id"]))
    #expect(
      try await variables(of: event, options)
        == #"{"events":"purchase","products":";a;;5","linkType":"o","linkName":"purchase"}"#)
    let once = try mapped(events: ["x": [.event(1).once(per: "key")]])
    #expect(broken(Event("x", ["key": id]), once) == ["missing properties.key"])
    #expect(
      try await variables(of: Event("x", ["key": id]), once)?.contains(#""events":"event1","#)
        == true)
  }

  @Test func `empty pages, links and list values are left out of Adobe events`() async throws {
    let options = try mapped([
      "page": [.pageName], "url": [.pageURL], "link": [.linkName], "tags": [.list(1)],
    ])
    let event = Event(
      "a", ["page": "", "url": "", "link": "", "tags": ["", "red", ","].ambientValue])
    #expect(
      try await variables(of: event, options)
        == #"{"list1":"red","linkType":"o","linkName":"a"}"#)
  }

  @Test func `an Adobe item without a usable ID is sent with its name instead of the ID`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    for id in ["", ";"] {
      let event = purchase(
        ["transaction_id": "t"], ["item_id": AmbientValue.string(id), "item_name": "Mug"])
      #expect(
        try await variables(of: event, options)?.contains(#""products":";Mug""#) == true)
    }
    let nameless = purchase(["transaction_id": "t"], ["item_id": "", "item_name": ""])
    #expect(
      broken(nameless, options) == ["missing properties.items[0]", "missing properties.items"])
  }

  @Test func `an empty Adobe user ID is reported whether or not a user namespace is configured`() {
    let event = Event("a", user: AnalyticsUser("", ["plan": "paid"]))
    let namespace = AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace("CRMID") }
    #expect(broken(event) == ["identity-malformed user.id"])
    #expect(broken(event, namespace) == ["identity-malformed user.id"])
  }

  // MARK: - Amounts

  @Test func `in an Adobe purchase, an amount given as numeric text is used as a number`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    let event = purchase(
      ["transaction_id": "t", "value": "44.09", "tax": "3.59"],
      ["item_id": "a", "price": 50])
    #expect(
      try await variables(of: event, options)?.contains(#""products":";a;;40.5","#) == true)
    let plain = purchase(
      ["transaction_id": "t", "value": "44.09"], ["item_id": "a", "price": 50])
    #expect(broken(plain, options) == ["not-a-number properties.value"])
    #expect(
      try await variables(of: plain, options)?.contains(#""products":";a;;44.09","#) == true)
  }

  @Test func `an Adobe purchase total that isn't a number is reported, and item prices are sent`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    let event = purchase(
      ["transaction_id": "t", "value": "much"], ["item_id": "a", "price": 50])
    #expect(broken(event, options) == ["not-a-number properties.value"])
    #expect(
      try await variables(of: event, options)?.contains(#""products":";a;;50","#) == true)
    let strict = AdobeOptions().with {
      $0.policy = .strict
      $0.mapping = .shop
    }
    #expect(try await bodies(of: [event], strict) == [])
  }

  @Test func `an Adobe product total that overflows a Double is reported and left out`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    let event = purchase(
      ["transaction_id": "t", "value": 5], ["item_id": "a", "price": 1e308, "quantity": 10],
      ["item_id": "b", "price": 1e308], ["item_id": "c", "price": 1e308])
    #expect(broken(event, options) == ["not-a-number properties.items[0].price"])
    let sent = try #require(try await bodies(of: [event], options).first)
    #expect(sent.contains(#""products":";a;10,;b;;1e+308,;c;;1e+308""#))
    #expect(!sent.contains("inf"))
  }

  @Test func `an Adobe purchase total is split among items with at most one cent of error each`()
    async throws
  {
    let options = AdobeOptions().with { $0.mapping = .shop }
    let items = (0..<10).map { _ in ["item_id": "a", "price": 0.01] as AmbientFields }
    let event = Event(
      "purchase", ["transaction_id": "t", "value": 0.06, "items": items.ambientValue])
    let text = try #require(try await variables(of: event, options))
    let products = try #require(text.firstMatch(of: /"products":"([^"]*)"/)?.output.1)
    let prices = products.split(separator: ",").compactMap { $0.split(separator: ";").last }
    let expected = Array(repeating: "0.01", count: 6) + Array(repeating: "0", count: 4)
    #expect(prices.map(String.init) == expected)
  }

  // MARK: - Names

  @Test func `a user's ID and traits take precedence over Adobe properties of the same name`()
    async throws
  {
    let options = try mapped(["user.id": [.eVar(1)], "user.plan": [.eVar(2)]])
    let event = Event(
      "a", ["user.id": "eve", "User.plan": "free", "user.age": 7],
      user: AnalyticsUser("ada", ["plan": "paid", "age": 36]))
    #expect(
      broken(event, options) == [
        "name-taken properties.user.id", "name-taken properties.User.plan",
        "name-taken properties.user.age",
      ])
    #expect(
      try await variables(of: event, options)
        == #"{"eVar1":"ada","eVar2":"paid","linkType":"o","linkName":"a","#
        + #""contextData":{"user.age":"36"}}"#)
  }

  @Test func `in an Adobe event without a user, properties named like user fields are sent`()
    async throws
  {
    let event = Event("a", ["user.id": "eve", "user.plan": "free"])
    #expect(broken(event).isEmpty)
    #expect(
      try await variables(of: event)
        == #"{"linkType":"o","linkName":"a","contextData":{"user.id":"eve","user.plan":"free"}}"#)
  }

  @Test func `if a corrected Adobe property name equals a valid name, the valid property is sent`()
    async throws
  {
    let event = Event("a", ["a b": 1, "a_b": 2, "c d": 3])
    #expect(
      broken(event) == [
        "name-malformed properties.a b", "name-taken properties.a b",
        "name-malformed properties.c d",
      ])
    #expect(
      try await variables(of: event)?.contains(#""contextData":{"a_b":"2","c_d":"3"}"#) == true)
    // Nobody has the name where the mapping takes the value elsewhere.
    #expect(
      try await variables(of: event, mapped(["a_b": [.eVar(1)]]))?
        .contains(#""eVar1":"2","linkType":"o","linkName":"a","contextData":{"a_b":"1""#) == true)
  }

  @Test func `an Adobe event with 30,000 properties is reported only as too large`() {
    let fields = AmbientFields(
      Dictionary(uniqueKeysWithValues: (0..<30_000).map { ("p\($0)", $0) }))
    #expect(broken(Event("a", fields)) == ["too-large event"])
  }
}
