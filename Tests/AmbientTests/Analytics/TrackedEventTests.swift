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

  @Test func `has its anonymous identity, and is read back with it`() throws {
    let event = try tracked(Event("buy", ["value": 1]), user: "ada").with(anonymousID: "a\"7")
    #expect(
      event.json == """
        {"id":"\(Self.id)","time":"2026-11-27T05:00:00.250Z","event":"buy",\
        "user":{"id":"ada","traits":{}},"anonymous_id":"a\\"7","properties":{"value":1}}
        """)
    let read = try TrackedEvent(json: event.json)
    #expect(read == event && read.anonymousID == "a\"7" && read.user == "ada")
    let nobodys = try tracked(Event("a")).with(anonymousID: "7")
    #expect(try TrackedEvent(json: nobodys.json) == nobodys)
    #expect(nobodys.with(anonymousID: nil).anonymousID == nil)
    #expect(!event.isAnonymousOfProgram)
  }

  @Test func `has an owner, even if its time cannot be read`() throws {
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

@Suite struct `Two tracked events` {
  private let event = TrackedEvent(
    Event("buy", ["value": 1]), id: UUID(), date: Date(timeIntervalSinceReferenceDate: 7),
    user: "ada")

  private func changed(
    _ event: Event? = nil, id: UUID? = nil, date: Date? = nil, user: AnalyticsUser? = "ada"
  ) -> TrackedEvent {
    TrackedEvent(
      event ?? self.event.event, id: id ?? self.event.id, date: date ?? self.event.date, user: user)
  }

  @Test func `are equal if all that they say is`() {
    #expect(event == changed() && event.hashValue == changed().hashValue)
    #expect(event == changed(Event("buy", ["value": 1], user: "ada"), user: nil))
    #expect(event == event.with(anonymousID: nil))
    for other in [
      changed(Event("sell", ["value": 1])), changed(Event("buy", ["value": 2])),
      changed(id: UUID()), changed(date: event.date + 1), changed(user: "bob"), changed(user: nil),
      event.with(anonymousID: "7"),
    ] {
      #expect(event != other && other == other, "\(other.json)")
    }
    #expect(event.with(anonymousID: "7") != event.with(anonymousID: "8"))
    #expect(event.with(anonymousID: "7") == event.with(anonymousID: "7"))
  }

  @Test func `have the same anonymous identity as long as the user is the same`() {
    var other = event.with(anonymousID: "7")
    other.user = AnalyticsUser("ada", ["plan": "paid"])
    #expect(other.anonymousID == "7" && other.user?.traits == ["plan": "paid"])
    #expect(other.event.user == nil, "the event named none")
    other.user = "bob"
    #expect(other.anonymousID == nil && other.user == "bob" && other.event.user == nil)
    var own = changed(Event("buy", user: "ada"), user: "bob").with(anonymousID: "7")
    own.user = AnalyticsUser("ada", ["plan": "paid"])
    #expect(own.anonymousID == "7" && own.event.user?.traits == ["plan": "paid"])
    own.user = nil
    #expect(own.anonymousID == nil && own.user == nil && own.event.user == nil)
    var nobodys = changed(user: nil).with(anonymousID: "7")
    nobodys.user = nil
    #expect(nobodys.anonymousID == "7")
  }

  @Test func `have the more precise of two times within a millisecond`() {
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
