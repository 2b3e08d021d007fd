// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Google messages` {
  private let client = "0123456789abcdef0123456789abcdef"

  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "valid"
    } catch { return "\(error)" }
  }

  @Test func `the Google collector's messages about settings equal those in messages.txt`() throws {
    func id(_ id: String, client: String = "1.2") -> String {
      error { _ = try GoogleIdentity(measurementID: id, client: client) }
    }
    func app(_ app: String, _ instance: String) -> String {
      error { _ = try GoogleIdentity(firebaseAppID: app, appInstanceID: instance) }
    }
    func options(_ change: (inout GoogleOptions) -> Void) -> String {
      error { try GoogleOptions().with(change).check() }
    }
    try MessageCatalog.expect(
      "Collectors, Google's settings",
      [
        "An id of Universal Analytics": id("UA-123-1"),
        "An id in lower case": id("g-12345abcde"),
        "A malformed id": id("hidden"),
        "A malformed client": id("G-TEST12345", client: "mine"),
        "A client of 10,000 characters":
          id("G-TEST12345", client: String(repeating: "клиент\n", count: 1_429)),
        "A malformed id of an app": app("G-TEST12345", client),
        "A malformed id of an app's instance": app("1:12:ios:a1", "1.2"),
        "An empty secret": error { try GoogleIdentity.check(secret: "") },
        "A malformed session": options { $0.session = .fixed("abc") },
        "A negative engagement": options { $0.engagement = .seconds(-1) },
      ])
  }

  @Test func `the Google collector's messages about events equal those in messages.txt`() throws {
    /// 2026-11-27T05:00:00Z.
    let now = Date(timeIntervalSince1970: 1_795_755_600)
    func problems(_ event: Event, age: Double = 0, _ options: GoogleOptions = GoogleOptions())
      -> String
    {
      let tracked = TrackedEvent(event, id: UUID(), date: now - age)
      return EventValidator.google(.web, options).problems(in: [tracked], now: now)
        .map(\.description).joined(separator: "\n")
    }
    func many(_ count: Int) -> AmbientFields {
      var fields = AmbientFields()
      for number in 10..<10 + count { fields["p\(number)"] = 1 }
      return fields
    }
    let item: AmbientFields = ["item_id": "1"]
    let items = Array(repeating: item, count: 201).ambientValue
    try MessageCatalog.expect(
      "Collectors, Google's events",
      [
        "A missing value": problems(Event("search")),
        "An empty list": problems(Event("select_item", ["items": AmbientValue.array([])])),
        "A value without a currency": problems(Event("a", ["value": 5])),
        "An item without a key":
          problems(Event("a", ["items": [["price": 1] as AmbientFields].ambientValue])),
        "An empty transaction": problems(Event("a", ["transaction_id": ""])),
        "A private transaction": problems(Event("a", ["transaction_id": .private("7")])),
        "A malformed client": problems(Event("a", ["client_id": "mine"])),
        "A malformed session": problems(Event("a", ["session_id": "mine"])),
        "Too many parameters": problems(Event("a", many(24))),
        "Too many items": problems(Event("a", ["items": items])),
        "Too many parameters of an item":
          problems(Event("a", ["items": [item.merging(many(11))].ambientValue])),
        "Too many traits": problems(Event("a", user: AnalyticsUser("u", many(26)))),
        "A malformed place":
          problems(
            Event(
              "a",
              [
                "user_location": [
                  "country_id": "de", "region_id": "US-ca", "continent_id": 19, "city": "",
                ] as AmbientFields
              ])),
        "A malformed device":
          problems(
            Event("a", ["device": ["screen_resolution": "1280", "colour": "red"] as AmbientFields])),
        "An event that is moved": problems(Event("a"), age: 73 * 3_600),
        "An event that is too old":
          problems(Event("a"), age: 73 * 3_600, GoogleOptions().with { $0.lateEvents = .dropped }),
        "A malformed name": problems(Event("order placed")),
      ])
  }
}
