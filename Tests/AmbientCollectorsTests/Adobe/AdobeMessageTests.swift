// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Adobe messages` {
  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "valid"
    } catch { return "\(error)" }
  }

  @Test func `the Adobe collector's messages about settings equal those in messages.txt`() throws {
    func namespace(_ code: String) -> String {
      error {
        try AdobeOptions().with { $0.userNamespace = AdobeOptions.UserNamespace(code) }.check()
      }
    }
    func variable(_ variables: AdobeVariable...) -> String {
      error { _ = try AdobeMapping(variables: ["method": variables]) }
    }
    let reports = Reports()
    Diagnostics.withInstance(reports) {
      let credentials = AdobeCredentials(apiKey: "key", organization: "org") { "Bearer hidden" }
      _ = AdobeTokens(of: "Adobe").token(of: credentials)
    }
    try MessageCatalog.expect(
      "Collectors, Adobe's settings",
      [
        "A malformed datastream": error { try AdobeIdentity.check(datastreamID: "hidden") },
        "A malformed namespace": namespace("CRM ID"),
        "A namespace of 10,000 characters": namespace(String(repeating: "код\n", count: 2_500)),
        "A namespace of devices": namespace("ecid"),
        "A token with Bearer": reports.messages.first ?? "none",
        "An empty key": error { try AdobeCredentials.check("", "apiKey") },
        "A variable that does not exist": variable(.eVar(251)),
        "A variable that is mapped twice": variable(.eVar(1), .eVar(1)),
        "A malformed delimiter": variable(.list(1, delimiter: "é")),
        "A malformed name": variable(.contextData("a.\n“b”")),
        "An event for two purposes":
          error { _ = try AdobeMapping.shop(paymentInfo: 7, refund: 7) },
      ])
  }

  @Test func `the Adobe collector's messages about events equal those in messages.txt`() throws {
    /// 2026-11-27T05:00:00Z.
    let now = Date(timeIntervalSince1970: 1_795_755_600)
    let options = try mapped(
      [
        "type": [.linkType], "order": [.transactionID], "list": [.list(2, delimiter: "|")],
        "page": [.pageName], "link": [.linkName],
      ],
      events: [
        "counted": [.event(1, value: "amount")], "sold": [.purchase.once(per: "key")],
      ], products: AdobeProducts().with { $0.total = "value" })
    func problems(_ event: Event, age: Double = 0) -> String {
      let tracked = TrackedEvent(event, id: UUID(), date: now - age)
      return EventValidator.adobe(options).problems(in: [tracked], now: now)
        .map(\.description).joined(separator: "\n")
    }
    try MessageCatalog.expect(
      "Collectors, Adobe's events",
      [
        "A reserved name": problems(Event("click")),
        "An unknown type of link": problems(Event("a", ["type": "x"])),
        "An order with a key that is too long":
          problems(Event("a", ["order": .string(String(repeating: "x", count: 101))])),
        "A list that is too long":
          problems(Event("a", ["list": Array(repeating: "x", count: 251).ambientValue])),
        "A private order": problems(Event("a", ["order": .private("7")])),
        "A private key":
          problems(
            Event("sold", ["key": .private("7"), "items": [["item_id": "1"]].ambientValue])),
        "A separator": problems(Event("a", ["list": "b|c"])),
        "A link with a page": problems(Event("a", ["page": "Home", "link": "Buy"])),
        "A malformed ECID": problems(Event("a", ["ecid": "1"])),
        "A malformed FPID": problems(Event("a", ["fpid": "1"])),
        "A malformed client": problems(Event("a", ["client_id": ""])),
        "An event without its number": problems(Event("counted")),
        "A purchase without products": problems(Event("sold")),
        "A product without a key":
          problems(
            Event("sold", ["items": [["price": 1] as AmbientFields].ambientValue, "key": "1"])),
        "A total that isn't a number":
          problems(
            Event(
              "sold",
              [
                "items": [["item_id": "1", "price": 1] as AmbientFields].ambientValue, "key": "1",
                "value": "much",
              ])),
        "A price that is too high":
          problems(
            Event(
              "sold",
              [
                "items": [
                  ["item_id": "1", "price": 1e308, "quantity": 1_000] as AmbientFields
                ].ambientValue, "key": "1",
              ])),
        "An event that is too old": problems(Event("a"), age: 93 * 86_400),
      ])
  }

  @Test func `the Adobe collector's messages about answers equal those in messages.txt`() throws {
    let answer = HTTPAnswer(207, body: Array(#"{"errors":["down"]}"#.utf8))
    try MessageCatalog.expect(
      "Collectors, Adobe's answers",
      ["Unknown events": DeliveryVerdict.adobe(answer, now: Date()).words.reason])
  }
}
