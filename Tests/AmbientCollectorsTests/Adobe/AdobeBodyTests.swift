// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import AmbientTesting
import Foundation
import TestSupport
import Testing

@Suite(.frozen(at: "2026-11-27T05:00:00.125Z")) struct `Adobe requests` {
  private let folder = TemporaryFolder()
  private let client =
    #""identityMap":{"FPID":[{"id":"\#(AdobeAnalytics.device)","primary":true}]}"#

  @Test func `an Adobe event is posted as JSON to the configured datastream`() async throws {
    let transport = ScriptedTransport([])
    let analytics = try AdobeAnalytics.to(transport, folder)
    analytics.track(Event("sign_up", ["method": "mail"]))
    await analytics.finish()
    let request = try #require(transport.exchanges.first?.request)
    let id = try #require(request.url.query()?.split(separator: "=").last)
    #expect(
      request.url.absoluteString
        == "https://edge.adobedc.net/ee/v2/collect?datastreamId=\(AdobeAnalytics.datastreamID)"
        + "&requestId=\(id)")
    #expect(
      id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
        != nil)
    #expect(request.method == "POST")
    #expect(request.headers == ["Content-Type": "application/json"])
    #expect(
      transport.bodies.map { $0.replacing(/"_id":"[0-9a-f-]{36}"/, with: #""_id":"ID""#) } == [
        #"{"events":[{"xdm":{"_id":"ID","eventType":"sign_up","#
          + #""timestamp":"2026-11-27T05:00:00.125Z",\#(client)},"data":{"__adobe":{"analytics":{"#
          + #""linkType":"o","linkName":"sign_up","contextData":{"method":"mail"}}}}}]}"#
      ])
  }

  @Test func `an Adobe event is sent with the ID of its TrackedEvent`() async throws {
    let transport = ScriptedTransport([])
    let analytics = try AdobeAnalytics.to(transport, folder)
    let event = TrackedEvent(Event("a"), id: AmbientIdentifier.next(), date: Time.now)
    analytics.record(event)
    await analytics.finish()
    let id = event.id.uuidString.lowercased()
    #expect(transport.bodies.first?.contains(#""_id":"\#(id)""#) == true)
  }

  @Test func `with credentials, requests go to Adobe's server host, and a retry gets a new token`()
    async throws
  {
    let transport = ScriptedTransport([.answer(401), .answer(202)])
    let tokens = Tokens()
    let analytics = try AdobeAnalytics.to(
      transport, folder,
      credentials: AdobeCredentials(apiKey: "key", organization: "1@AdobeOrg", token: tokens.next),
      upload: .prompt)
    analytics.track(Event("a"))
    #expect(await analytics.isEmptiedByFlushes())
    let requests = transport.exchanges.map(\.request)
    #expect(
      requests.first?.url.absoluteString.hasPrefix("https://server.adobedc.net/ee/v2/") == true)
    #expect(requests.map { $0.headers["Authorization"] } == ["Bearer token1", "Bearer token2"])
    #expect(
      requests.last?.headers == [
        "Content-Type": "application/json", "Authorization": "Bearer token2", "x-api-key": "key",
        "x-gw-ims-org-id": "1@AdobeOrg",
      ])
  }

  @Test(arguments: ["hid\nden", "hidden ", "", "Bearer hidden"])
  func `an invalid Adobe token is reported once, and requests are sent without a token`(
    token: String
  ) async throws {
    let transport = ScriptedTransport([.answer(503)])
    let reports = Reports()
    let analytics = try AdobeAnalytics.to(
      transport, folder,
      credentials: AdobeCredentials(apiKey: "key", organization: "1@AdobeOrg") { token },
      reports: reports, upload: .prompt)
    for name in ["a", "b"] {
      analytics.track(Event(name))
      #expect(await analytics.isEmptiedByFlushes())
    }
    #expect(transport.exchanges.count == 3)
    #expect(transport.exchanges.allSatisfy { $0.request.headers["Authorization"] == nil })
    let found = reports.all.filter { $0.kind == .invalidSetting }
    #expect(found.count == 1)
    #expect(found.first?.message.contains("“token”") == true)
    #expect(found.first?.message.contains("hid") == false)
  }

  @Test(arguments: [
    ("http://127.0.0.1:1/a?silent=true&x=%2B", "/a?silent=true&x=%2B&datastreamId=ebebf826-"),
    ("http://127.0.0.1:1", "/ee/v2/collect?datastreamId=ebebf826-"),
    ("http://127.0.0.1:1/", "/ee/v2/collect?datastreamId=ebebf826-"),
  ])
  func `a custom Adobe endpoint keeps its path and query, or gets the default path`(
    address: String, rest: String
  ) async throws {
    let transport = ScriptedTransport([])
    let analytics = try AdobeAnalytics.to(
      transport, folder, AdobeOptions().with { $0.endpoint = .url(address) })
    analytics.track(Event("a"))
    await analytics.finish()
    let sent = transport.exchanges.first?.request.url.absoluteString
    #expect(sent?.hasPrefix("http://127.0.0.1:1\(rest)") == true)
  }

  @Test func `an Adobe event with a page is sent as a page view, and any other event as a link`()
    async throws
  {
    let options = try mapped([
      "page": [.pageName], "url": [.pageURL], "link": [.linkName], "type": [.linkType],
      "to": [.linkURL],
    ])
    for (properties, expected) in [
      (["page": "Home"] as AmbientFields, #"{"pageName":"Home"}"#),
      (["url": "https://a.example/"], #"{"pageURL":"https://a.example/"}"#),
      (["link": "Prices"], #"{"linkName":"Prices","linkType":"o"}"#),
      (
        ["type": "exit", "to": "https://b.example/"],
        #"{"linkType":"e","linkURL":"https://b.example/","linkName":"click"}"#
      ),
      (
        ["page": "Home", "link": "Prices"],
        #"{"pageName":"Home","linkName":"Prices","linkType":"o"}"#
      ),
      ([:], #"{"linkType":"o","linkName":"click"}"#),
    ] {
      #expect(try await variables(of: Event("click", properties), options) == expected)
    }
  }

  @Test func `an Adobe event with both a page and a link is reported and sent unchanged`() throws {
    let options = try mapped(
      ["page": [.pageName], "url": [.pageURL], "link": [.linkName]], policy: .strict)
    func found(_ properties: AmbientFields) -> [String] {
      EventValidator.adobe(options).problems(in: [Event("a", properties)])
        .map { "\($0.rule) \($0.field) \($0.effect)" }
    }
    #expect(
      found(["page": "Home", "link": "Prices"])
        == ["page-of-link properties.page \(EventProblem.Effect.kept)"])
    #expect(
      found(["url": "https://a.example/", "link": "Prices"])
        == ["page-of-link properties.url \(EventProblem.Effect.kept)"])
    #expect(found(["page": "Home", "url": "https://a.example/"]) == [])
    #expect(found(["link": "Prices"]) == [])
  }

  @Test(arguments: [
    "click", "display", "personalization.request", "decisioning.propositionFetch",
    "decisioning.propositionDisplay", "decisioning.propositionInteract", "Click",
    "web.webpagedetails.pageViews", "web.webPageDetails.pageViews",
  ])
  func `a reserved Adobe event name gets the prefix x_ in eventType`(name: String) async throws {
    let sent = try await xdm(of: Event(name))
    #expect(sent?.contains(#""eventType":"x_\#(name)","#) == true)
    #expect(
      try await variables(of: Event(name)) == #"{"linkType":"o","linkName":"\#(name)"}"#)
    let problems = EventValidator.adobe().problems(in: [Event(name)])
    #expect(problems.map { "\($0.rule) \($0.field)" } == ["name-reserved event"])
    // The type is that of the metric, and nothing else.
    let counted = try mapped(events: [name: [.cartAdd]])
    #expect(EventValidator.adobe(counted).problems(in: [Event(name)]) == [])
  }

  @Test(arguments: ["clicked", "web.webpagedetails", "commerce.purchases", "personalization"])
  func `an event name that Adobe doesn't reserve is sent unchanged as eventType`(name: String)
    async throws
  {
    #expect(try await xdm(of: Event(name))?.contains(#""eventType":"\#(name)","#) == true)
    #expect(EventValidator.adobe().problems(in: [Event(name)]) == [])
  }

  @Test func `properties and traits are sent in the Adobe variables that they are mapped to`()
    async throws
  {
    let options = try mapped(
      [
        "a": [.eVar(1), .prop(75)], "b": [.eVar(250)], "c": [.channel], "d": [.campaign],
        "e": [.server], "f": [.referrer], "g": [.zip], "h": [.currencyCode], "i": [.transactionID],
        "j": [.list(1), .list(3, delimiter: "|")], "k": [.contextData("shop.k")],
        "user.plan": [.eVar(2)], "user.id": [.eVar(3)],
      ])
    let event = Event(
      "x",
      [
        "a": true, "b": 12.5, "c": "News", "d": "mail-7", "e": "web1", "f": "https://c.example/",
        "g": "00100", "h": "EUR", "i": "T-1", "j": ["red", "blue"].ambientValue, "k": 3,
        "l": Date(timeIntervalSince1970: 0),
      ], user: AnalyticsUser("ada", ["plan": "paid", "age": 36]))
    #expect(
      try await variables(of: event, options)
        == #"{"eVar1":"true","prop75":"true","eVar250":"12.5","channel":"News","#
        + #""campaign":"mail-7","server":"web1","referrer":"https://c.example/","zip":"00100","#
        + #""currencyCode":"EUR","transactionID":"T-1","list1":"red,blue","list3":"red|blue","#
        + #""eVar3":"ada","eVar2":"paid","linkType":"o","linkName":"x","contextData":{"shop.k":"3","#
        + #""l":"1970-01-01T00:00:00.000Z","user.age":"36"}}"#)
  }

  @Test func `Adobe success events are sent with their mapped values and serialization keys`()
    async throws
  {
    let options = try mapped(events: [
      "x": [
        .cartAdd, .event(1), .event(2, value: "amount"), .event(1_000).once(),
        .event(3, value: "amount").once(per: "key"), .checkout.once(per: "long"),
      ]
    ])
    let event = Event("x", ["amount": 9.5, "key": "A17", "long": "an order's name"])
    let first = try #require(try await variables(of: event, options))
    let events = try #require(first.firstMatch(of: /"events":"([^"]*)"/)?.output.1)
    let pattern =
      /scAdd,event1,event2=9\.5,event1000:([0-9a-f]{20}),event3=9\.5:A17,scCheckout:([0-9a-f]{20})/
    let keys = try #require(events.wholeMatch(of: pattern)?.output, "\(events)")
    let second = try #require(try await variables(of: event, options))
    let others = try #require(second.firstMatch(of: pattern)?.output)
    // One for each event that is tracked; the other for each value, always the same.
    #expect(keys.1 != others.1)
    #expect(keys.2 == others.2)
  }

  @Test func `an Adobe product is sent with the success events and eVars of its item`() async throws
  {
    let options = try mapped(
      events: ["x": [.productView]],
      products: AdobeProducts().with {
        $0.list = "goods"
        $0.id = "sku"
        $0.events = ["points": 4, "gifts": 10]
        $0.eVars = ["color": 10, "size": 33]
      })
    let goods: [AmbientFields] = [
      [
        "sku": "shirt", "item_category": "Clothes", "quantity": 3, "price": 4.33, "color": "green",
        "size": "large", "points": 1, "gifts": 2,
      ],
      ["item_name": "Canary"], ["sku": "cage", "color": "gold"],
    ]
    let sent = try await bodies(of: [Event("x", ["goods": goods.ambientValue])], options).first
    #expect(
      sent?.contains(
        #""products":"Clothes;shirt;3;12.99;event4=1|event10=2;eVar10=green|eVar33=large,"#
          + #";Canary,;cage;;;;eVar10=gold""#) == true)
    #expect(sent?.contains(#""events":"prodView,event4,event10""#) == true, "\(sent ?? "")")
    #expect(
      sent?.contains(
        #""productListItems":[{"SKU":"shirt","quantity":3,"priceTotal":12.99,"#
          + #""productCategories":[{"categoryID":"Clothes"}]},{"name":"Canary"},{"SKU":"cage"}]"#)
        == true)
  }

  @Test func `products are left out if Adobe would otherwise count the event as a product view`()
    async throws
  {
    let options = try mapped(events: ["x": [.event(1)]], products: AdobeProducts())
    let items = [["item_id": "a"] as AmbientFields].ambientValue
    let sent = try await bodies(of: [Event("x", ["items": items])], options).first
    #expect(sent?.contains("roduct") == false)
    #expect(EventValidator.adobe(options).problems(in: [Event("x", ["items": items])]).isEmpty)
  }

  @Test func `one Adobe request carries events of several devices`() async throws {
    let events = (0..<50).map { Event("numbered", ["number": $0, "fpid": fpid($0)]) }
    let bodies = try await bodies(of: events, AdobeOptions())
    #expect(bodies.count == 1)
    #expect(
      bodies[0].matches(of: /"number":"([0-9]+)"/).map { Int($0.output.1) } == Array(0..<50))
  }

  private func fpid(_ number: Int) -> String {
    "79bf8e83-f708-414b-b1ed-5789ff33bf\(number + 10)"
  }

  @Test func `Adobe events are split into requests of fewer than 60,000 bytes`() async throws {
    let text = String(repeating: "x", count: 1_000)
    let bodies = try await bodies(
      of: (0..<100).map { Event("numbered", ["number": $0, "text": text]) }, AdobeOptions())
    #expect(bodies.count == 3)
    #expect(bodies.allSatisfy { $0.utf8.count < 60_000 })
    #expect(
      bodies.flatMap { $0.matches(of: /"number":"([0-9]+)"/) }.map { Int($0.output.1) }
        == Array(0..<100))
  }

  @Test func `an Adobe retry keeps the requestId, and the next batch gets a new requestId`()
    async throws
  {
    let transport = ScriptedTransport([.answer(503), .answer(202)])
    let analytics = try AdobeAnalytics.to(transport, folder, upload: .prompt)
    for name in ["a", "b"] {
      analytics.track(Event(name))
      #expect(await analytics.isEmptiedByFlushes())
    }
    let queries = transport.exchanges.map { $0.request.url.query() }
    #expect(queries.count == 3)
    #expect(queries[0] == queries[1])
    #expect(queries[1] != queries[2])
  }
}

/// Says `token1`, `token2` and so on.
private final class Tokens: Sendable {
  private let number = Guarded(0)

  @Sendable func next() -> String {
    number.withLock { number in
      number += 1
      return "token\(number)"
    }
  }
}
