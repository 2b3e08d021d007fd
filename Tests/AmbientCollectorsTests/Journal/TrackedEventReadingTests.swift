// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `Tracked events read from JSON` {
  private static let id = "019AC0DE-0000-7000-8000-000000000001"

  private func tracked(_ event: Event, user: AnalyticsUser? = nil) throws -> TrackedEvent {
    TrackedEvent(
      event, id: try #require(UUID(uuidString: Self.id)),
      date: try Date(iso8601: "2026-11-27T05:00:00.25Z"), user: user)
  }

  @Test func `an event read back from its JSON has the same values, number types and order`() throws
  {
    let properties: AmbientFields = [
      "z": 1, "double": 1.0, "large": 1e300, "most": UInt64.max, "least": Int64.min,
      "tiny": Double.leastNonzeroMagnitude,
      "minus": -0.0, "yes": true, "no": false, "list": [1, 2],
      "text": "\u{1F6D2} \"q\" \\ \n \u{0}",
      "group": ["b": 1, "a": ["deep": [AmbientValue.null, 1.5]] as AmbientFields] as AmbientFields,
      "": "no name",
    ]
    let event = try tracked(
      Event("name \u{2028}", properties), user: AnalyticsUser("ada", ["b": 1, "a": 2.0]))
    let read = try TrackedEvent(json: event.json)
    #expect(read == event)
    #expect(read.json == event.json)
    #expect(try TrackedEvent(json: Data((event.json + "\n").utf8)) == event)
    #expect(try TrackedEvent(json: event.json.utf8.lazy.map { $0 }) == event)
    guard case .double(1)? = read.event.properties["double"],
      case .integer(1)? = read.event.properties["z"],
      case .unsigned(.max)? = read.event.properties["most"]
    else { return #expect(Bool(false), "\(read.event.properties)") }
    #expect(read.event.properties.map(\.name) == properties.map(\.name))
  }

  @Test func `an event read back from its JSON has the same anonymous ID`() throws {
    let event = try tracked(Event("buy", ["value": 1]), user: "ada").with(anonymousID: "a\"7")
    let read = try TrackedEvent(json: event.json)
    #expect(read == event && read.anonymousID == "a\"7" && read.user == "ada")
    let nobodys = try tracked(Event("a")).with(anonymousID: "7")
    #expect(try TrackedEvent(json: nobodys.json) == nobodys)
  }

  @Test func `an event's user and anonymous ID are read from JSON even if the time is malformed`()
    throws
  {
    func owner(_ line: String) -> (user: AnalyticsUser?, anonymousID: String?)? {
      TrackedEvent.owner(inJSON: Array(line.utf8))
    }
    let both = try #require(
      owner(#"{"time":"soon","user":{"id":"ada","traits":{"a":1}},"anonymous_id":"7"}"#))
    #expect(both.user == AnalyticsUser("ada", ["a": 1]) && both.anonymousID == "7")
    let user = try #require(owner(#"{"user":{"id":"ada"}}"#))
    #expect(user.user == "ada" && user.anonymousID == nil)
    let anonymous = try #require(owner(#"{"anonymous_id":"7"}"#))
    #expect(anonymous.user == nil && anonymous.anonymousID == "7")
    let none = try #require(owner(#"{"id":1}"#))
    #expect(none.user == nil && none.anonymousID == nil)
    for line in ["", "[]", #"{"user":1}"#, #"{"user":{"traits":{"a":1}}}"#, #"{"anonymous_id":7}"#]
    {
      #expect(owner(line) == nil, "\(line)")
    }
  }

  @Test func `an event without a user or properties is read back from its JSON`() throws {
    let event = try tracked(Event("a"))
    #expect(try TrackedEvent(json: event.json) == event)
    let line = #"{"event":"a","more":[{}],"time":"2026-11-27T05:00:00.25Z","id":"\#(Self.id)"}"#
    #expect(try TrackedEvent(json: line) == event)
  }

  @Test func `dates and non-finite numbers of an event are read back from JSON as text`() throws {
    let date = try Date(iso8601: "2026-11-27T05:00:00Z")
    let event = try tracked(Event("a", ["date": date, "nan": Double.nan, "much": Double.infinity]))
    #expect(
      try TrackedEvent(json: event.json).event.properties == [
        "date": "2026-11-27T05:00:00.000Z", "nan": "nan", "much": "inf",
      ])
  }

  @Test(arguments: [
    ("", "byte 1,"), ("[]", "object"), (#"{"id":"7"}"#, "“id”"),
    (#"{"id":"\#(id)"}"#, "“time”"), (#"{"id":"\#(id)","time":"soon"}"#, "“soon”"),
    (#"{"id":"\#(id)","time":"2026-11-27T05:00:00Z"}"#, "“event”"),
    (
      #"{"id":"\#(id)","time":"2026-11-27T05:00:00Z","event":"a","properties":1}"#,
      "“properties”"
    ),
    (#"{"id":"\#(id)","time":"2026-11-27T05:00:00Z","event":"a","user":{"x":1}}"#, "user"),
    (
      #"{"id":"\#(id)","time":"2026-11-27T05:00:00Z","event":"a","user":{"traits":1,"id":"a"}}"#,
      "“traits”"
    ),
    (#"{"id":"\#(id)""#, "byte 45,"), (#"{"id":1} x"#, "byte 10,"),
  ])
  func `reading a malformed event throws an error with the position of the fault`(
    line: String, reason: String
  ) {
    let error = #expect(throws: TrackedEventError.self) { try TrackedEvent(json: line) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `events with random properties round-trip through JSON`() throws {
    for seed in 0..<400 {
      var maker = Maker(numbers: SeededNumbers(seed))
      let user = seed % 3 == 0 ? nil : AnalyticsUser(maker.text(), maker.fields(0))
      let event = try tracked(Event(maker.text(), maker.fields(0)), user: user)
      let read = try TrackedEvent(json: event.json)
      #expect(read == event && read.json == event.json, "seed \(seed): \(event.json)")
    }
  }

  @Test func `reading a truncated event throws, and a changed byte never crashes the reader`()
    throws
  {
    let event = try tracked(
      Event("buy", ["list": [1, 2.5], "text": "a\u{0}\u{E9}", "no": false]), user: "ada")
    let bytes = Array(event.json.utf8)
    for count in 0..<bytes.count {
      #expect(throws: TrackedEventError.self) { try TrackedEvent(json: bytes[..<count]) }
    }
    var numbers = SeededNumbers(14)
    for _ in 0..<4_000 {
      var changed = bytes
      changed[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8(
        truncatingIfNeeded: numbers.next())
      _ = try? TrackedEvent(json: changed)
    }
  }
}

@Suite struct `Sub-millisecond event times` {
  private let event = TrackedEvent(
    Event("buy", ["value": 1]), id: UUID(), date: Date(timeIntervalSinceReferenceDate: 7),
    user: "ada")

  @Test func `if two times of an event are in the same millisecond, the more precise time is used`()
  {
    let date = event.date
    for (other, expected) in [
      (date, date), (date + 0.0009, date + 0.0009), (date + 0.0011, date), (date - 0.0001, date),
      (date + 1, date),
    ] {
      let moved = event.with(anonymousID: "7").moved(to: other)
      #expect(moved.date == expected)
      #expect(moved.anonymousID == "7" && moved.id == event.id && moved.user == "ada")
      #expect(date.finer(other) == expected)
    }
    #expect(date.finer(nil) == date)
    let second = Date(timeIntervalSinceReferenceDate: 0)
    let millisecond = Date(timeIntervalSinceReferenceDate: 0.001)
    #expect(second.finer(millisecond) == second, "which is another one")
    #expect(second.finer(Date(timeIntervalSinceReferenceDate: 0.001.nextDown)) != second)
  }
}

/// Makes fields of all that is the same after a round trip.
private struct Maker {
  var numbers: SeededNumbers

  mutating func text() -> String {
    let texts = Hostile.texts + ["", "a", "caf\u{E9}", "cafe\u{301}", "\u{10FFFF}", "\u{FFFD}"]
    return texts.randomElement(using: &numbers) ?? ""
  }

  mutating func fields(_ depth: Int) -> AmbientFields {
    var fields: AmbientFields = [:]
    for _ in 0..<Int.random(in: 0...6, using: &numbers) {
      fields[text() + String(numbers.next() & 7)] = value(depth)
    }
    return fields
  }

  mutating func value(_ depth: Int) -> AmbientValue {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &numbers) {
    case 0: return .boolean(Bool.random(using: &numbers))
    case 1: return .integer(Int64(truncatingIfNeeded: numbers.next() >> (numbers.next() & 63)))
    case 2: return .unsigned(numbers.next() | 1 << 63)
    case 3:
      let double = Double(bitPattern: numbers.next())
      return .double(double.isFinite ? double : 1)
    case 4: return .string(text())
    case 5:
      let count = Int.random(in: 0...3, using: &numbers)
      return .array((0..<count).map { _ in value(depth + 1) })
    default: return .fields(fields(depth + 1))
    }
  }
}
