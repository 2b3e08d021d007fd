import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `A tracked event as JSON` {
  private static let id = "019AC0DE-0000-7000-8000-000000000001"

  private func tracked(_ event: Event, user: AnalyticsUser? = nil) throws -> TrackedEvent {
    TrackedEvent(
      event, id: try #require(UUID(uuidString: Self.id)),
      date: try Date(iso8601: "2026-11-27T05:00:00.25Z"), user: user)
  }

  @Test func `says whose it is, if that is known`() throws {
    let event = try tracked(Event("buy", ["value": 1]), user: AnalyticsUser("ada", ["age": 36]))
    #expect(
      event.json == """
        {"id":"\(Self.id)","time":"2026-11-27T05:00:00.250Z","event":"buy",\
        "user":{"id":"ada","traits":{"age":36}},"properties":{"value":1}}
        """)
    #expect(
      Event("a", user: "ada").json
        == #"{"event":"a","user":{"id":"ada","traits":{}},"properties":{}}"#)
    #expect(!(try tracked(Event("a")).json.contains("user")))
  }

  @Test func `is read back as it was, numbers as what they are, in their order`() throws {
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

  @Test func `is read back without its user, and without properties`() throws {
    let event = try tracked(Event("a"))
    #expect(try TrackedEvent(json: event.json) == event)
    let line = #"{"event":"a","more":[{}],"time":"2026-11-27T05:00:00.25Z","id":"\#(Self.id)"}"#
    #expect(try TrackedEvent(json: line) == event)
  }

  @Test func `has what JSON has no form for as text`() throws {
    let date = try Date(iso8601: "2026-11-27T05:00:00Z")
    let event = try tracked(Event("a", ["date": date, "nan": Double.nan, "much": Double.infinity]))
    #expect(
      try TrackedEvent(json: event.json).event.properties == [
        "date": "2026-11-27T05:00:00.000Z", "nan": "nan", "much": "inf",
      ])
  }

  @Test(arguments: [
    (Double.nan, "no date (nan)"), (.infinity, "beyond year 9999 (inf s after 1970)"),
    (252_423_993_600, "beyond year 9999 (253402300800.0 s after 1970)"),
    (252_423_993_599.5, "9999-12-31T23:59:59.500Z"),
    (-63_113_904_000, "0001-01-01T00:00:00.000Z"),
    (-63_113_904_001, "before year 1 (62135596801.0 s before 1970)"),
    (-.infinity, "before year 1 (inf s before 1970)"),
  ])
  func `has its time to the ends of the calendar, and words for it beyond`(
    interval: Double, time: String
  ) throws {
    let event = TrackedEvent(
      Event("a"), id: try #require(UUID(uuidString: Self.id)),
      date: Date(timeIntervalSinceReferenceDate: interval))
    #expect(event.json == #"{"id":"\#(Self.id)","time":"\#(time)","event":"a","properties":{}}"#)
  }

  @Test(arguments: [
    ("", "at byte 1, expected a value"),
    ("[]", "it is no object"),
    (#"{"id":"7"}"#, "its “id” is no UUID"),
    (#"{"id":"\#(id)"}"#, "the line has no text “time”"),
    (#"{"id":"\#(id)","time":"soon"}"#, "its “time”: “soon” is no instant"),
    (#"{"id":"\#(id)","time":"2026-11-27T05:00:00Z"}"#, "the line has no text “event”"),
    (
      #"{"id":"\#(id)","time":"2026-11-27T05:00:00Z","event":"a","properties":1}"#,
      "its “properties” is no object"
    ),
    (
      #"{"id":"\#(id)","time":"2026-11-27T05:00:00Z","event":"a","user":{"x":1}}"#,
      "the user has no text “id”"
    ),
    (
      #"{"id":"\#(id)","time":"2026-11-27T05:00:00Z","event":"a","user":{"traits":1,"id":"a"}}"#,
      "its “traits” is no object"
    ),
    (#"{"id":"\#(id)""#, "at byte 45, expected “,” or “}”"),
    (#"{"id":1} x"#, "at byte 10, expected the end"),
  ])
  func `that is none is an error that says where`(line: String, reason: String) {
    let error = #expect(throws: TrackedEventError.self) { try TrackedEvent(json: line) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `is read back whatever its properties are`() throws {
    for seed in 0..<400 {
      var maker = Maker(numbers: SeededNumbers(seed))
      let user = seed % 3 == 0 ? nil : AnalyticsUser(maker.text(), maker.fields(0))
      let event = try tracked(Event(maker.text(), maker.fields(0)), user: user)
      let read = try TrackedEvent(json: event.json)
      #expect(read == event && read.json == event.json, "seed \(seed): \(event.json)")
    }
  }

  @Test func `is read, or refused, wherever it is cut or changed`() throws {
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
