import Ambient
import AmbientCollectors
import Testing

@Suite struct `A mapping` {
  private let event = Event("order placed", ["order": "A-17", "total": 5], user: "ada")

  @Test func `gives events and properties other names, at their places`() {
    let mapping = EventMapping.renaming(
      events: ["order placed": "purchase"], properties: ["order": "transaction_id"])
    let mapped = mapping(event)
    #expect(mapped == Event("purchase", ["transaction_id": "A-17", "total": 5], user: "ada"))
    #expect(mapped.properties.map(\.name) == ["transaction_id", "total"])
    #expect(mapping(Event("other")) == Event("other"))
  }

  @Test func `keeps the value of each property, though two would have one name`() {
    let mapping = EventMapping.renaming(properties: ["a": "b", "b": "c", "x": "y", "z": "y"])
    func mapped(_ properties: AmbientFields) -> AmbientFields {
      mapping(Event("e", properties)).properties
    }
    // Each may take the name that another gives up.
    #expect(mapped(["a": 1, "b": 2]) == ["b": 1, "c": 2])
    #expect(mapped(["a": 1, "c": 3]) == ["b": 1, "c": 3])
    // The one whose new name is taken stays, and so does the one that would have had its own.
    #expect(mapped(["a": 1, "b": 2, "c": 3]) == ["a": 1, "b": 2, "c": 3])
    #expect(mapped(["x": 1, "z": 2]) == ["y": 1, "z": 2])
    #expect(mapped(["x": 1, "y": 2, "z": 3]) == ["x": 1, "y": 2, "z": 3])
    let swap = EventMapping.renaming(properties: ["a": "b", "b": "a"])
    #expect(swap(Event("e", ["a": 1, "b": 2])).properties == ["b": 1, "a": 2])
  }

  @Test func `is followed by another, or is none`() {
    let mapping = EventMapping.renaming(events: ["order placed": "a"])
      .then(.renaming(events: ["a": "b"]))
    #expect(mapping(event).name == "b")
    #expect(EventMapping.none(event) == event)
  }
}

@Suite struct `A value as JSON` {
  @Test(arguments: [
    (AmbientValue.null, "null"), (true, "true"), (-3, "-3"), (.unsigned(.max), "\(UInt64.max)"),
    (12.0, "12"), (1.5, "1.5"), (1e300, "1e+300"), (.double(.nan), #""nan""#),
    (.double(-0x1p53), "-9007199254740992"), (.double(0x1p53 + 2), "9.007199254740994e+15"),
    (.double(-.infinity), #""-inf""#), ("a\"\\\u{1}é", #""a\"\\\u0001é""#),
    (.array([1, "a", .null]), #"[1,"a",null]"#),
    (.fields(["a": 1, "b": AmbientFields(["c": 2])]), #"{"a":1,"b":{"c":2}}"#),
  ])
  func `has the form of each kind`(value: AmbientValue, text: String) {
    #expect(value.json == text)
  }
}
