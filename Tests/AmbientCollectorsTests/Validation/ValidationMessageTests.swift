// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Validation messages` {
  /// 2026-11-27T05:00:00Z.
  private let now = Date(timeIntervalSince1970: 1_795_755_600)

  /// The problems that `body` notes of an event, a line each.
  private func problems(
    _ name: String = "buy", _ body: (inout EventInspection) -> Void
  ) -> String {
    var inspection = EventInspection(TrackedEvent(Event(name), id: UUID(), date: now))
    body(&inspection)
    return inspection.problems.map(\.description).joined(separator: "\n")
  }

  @Test func `the validation's messages about events equal those in messages.txt`() throws {
    let now = now
    let old = TrackedEvent(Event("a"), id: UUID(), date: now - 2)
    let far = TrackedEvent(Event("a"), id: UUID(), date: Date(timeIntervalSince1970: 1e300))
    let next = TrackedEvent(Event("a"), id: UUID(), date: now)
    let validator = EventValidator.google()
    func texts(_ events: [TrackedEvent]) -> String {
      validator.problems(in: events, now: now).map(\.description).joined(separator: "\n")
    }
    try MessageCatalog.expect(
      "Collectors, events",
      [
        "A time in the future": problems { _ = $0.settleTime(of: now + 1, now: now) },
        "A clock that steps back": texts([next, old]),
        "A time that has no text": texts([far]),
        "No name": problems { _ = $0.isNamed("", at: "properties.") },
        "A name that is taken": problems { _ = $0.isFree("b", unless: true, at: "properties.B") },
        "A name of 10,000 characters that is taken":
          problems(String(repeating: "имя\n", count: 2_500)) {
            let name = String(repeating: "ж\u{1B}\"", count: 3_334)
            _ = $0.isFree(name, unless: true, at: "properties.\(name)")
          },
        "An empty user": problems { _ = $0.settleUser("", atMost: 3) },
        "A user that is too long": problems { _ = $0.settleUser("adam", atMost: 3) },
        "An event that is too large": problems { _ = $0.isSmallEnough(10, below: 10) },
      ])
  }

  @Test func `the validation's messages about names and values equal those in messages.txt`() throws
  {
    let rule = NameRule(
      "an event name", longest: 9, reserved: ["log"], prefixes: ["ga_"], marks: ".-")
    func name(_ name: String) -> String {
      problems { _ = rule.settle(name, at: "event", &$0) }
    }
    func value(
      _ body: (AmbientValue, String, inout EventInspection) -> Void, _ value: AmbientValue
    ) -> String {
      problems { body(value, "properties.x", &$0) }
    }
    let single = { (value: AmbientValue, path: String, inspection: inout EventInspection) in
      _ = ValueRules.single(value, atMost: 100, at: path, &inspection)
    }
    let number = { (value: AmbientValue, path: String, inspection: inout EventInspection) in
      _ = ValueRules.number(value, at: path, &inspection)
    }
    let currency = { (value: AmbientValue, path: String, inspection: inout EventInspection) in
      _ = CurrencyCode.settle(value, at: path, &inspection)
    }
    try MessageCatalog.expect(
      "Collectors, values",
      [
        "A reserved name": name("log"),
        "A malformed name": name("a b"),
        "A name that is too long": name("a.b-c.d-ef"),
        "A list": value(single, [1, 2].ambientValue),
        "An object": value(single, .fields(["b": 1])),
        "A text that is too long": value(single, .string(String(repeating: "x", count: 101))),
        "A text of other characters that is too long":
          value(single, .string(String(repeating: "я\u{7}“", count: 40))),
        "No number": value(number, "much"),
        "A number as text": value(number, "3"),
        "No list": problems { _ = ValueRules.list("mug", at: "properties.items", &$0) },
        "No object": problems { _ = ValueRules.object("mug", at: "properties.items[0]", &$0) },
        "No currency": value(currency, "XYZ"),
        "A currency in lower case": value(currency, "eur"),
      ])
  }

  @Test func `the validation's messages about reports equal those in messages.txt`() throws {
    let reports = Reports()
    func report(_ fields: [String], _ rule: EventRule = .nested) -> String {
      let problems = fields.map {
        EventProblem(
          event: "buy", id: UUID(), field: $0, rule: rule, demand: "a single text or number",
          found: "a list of 2 values", advice: "track its parts as separate properties",
          effect: rule == .nested ? .leftOut : .changed(to: "its first 100 characters"))
      }
      Diagnostics.withInstance(reports) { Amendments("Format").note(problems) }
      return reports.messages.last ?? "none"
    }
    try MessageCatalog.expect(
      "Collectors, changed events",
      [
        "A field that is left out": report(["properties.a"]),
        "A field that is changed": report(["properties.a"], .textTooLong),
        "Several fields": report(["properties.a", "properties.b"]),
        "Many fields": report(["a", "b", "c", "d", "e", "f"]),
        "Fields of 10,000 characters":
          report([String(repeating: "поле\n", count: 2_000), String(repeating: "😀", count: 10_000)]
          ),
      ])
  }

  @Test func `the validation's messages about settings equal those in messages.txt`() throws {
    func secret(_ text: String) -> String {
      do throws(CollectorError) {
        try SettingChecks.check(secret: text, "apiSecret", advice: "create one")
        return "valid"
      } catch { return error.description }
    }
    func id(_ text: String) -> String {
      SettingChecks.malformed(
        text, "measurementID", "a measurement id", isFitting: { $0 == "G-1" }, "use one such as G-1"
      ).description
    }
    try MessageCatalog.expect(
      "Collectors, ids and secrets",
      [
        "An empty secret": secret(" \n"),
        "A secret with a newline at its end": secret("hidden\r\n"),
        "A secret with a tab at its beginning": secret("\thidden"),
        "A secret with a space": secret("hid den"),
        "A secret with a control character": secret("hid\u{7F}den"),
        "A secret that is not ASCII": secret("hiddén"),
        "An empty id": id(""),
        "A malformed id": id("hidden"),
        "An id in white space": id("\u{A0}G-1\r\n"),
      ])
  }
}
