// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import TestSupport
import Testing

@Suite struct `Event mappings` {
  // In a process of its own: a search for names that never ends would block a thread of the pool.
  @Test func `EventMapping.renaming renames events and properties and keeps the property order`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let event = Event("order placed", ["order": "A-17", "total": 5], user: "ada")
      let mapping = EventMapping.renaming(
        events: ["order placed": "purchase"], properties: ["order": "transaction_id"])
      let mapped = mapping(event)
      #expect(mapped == Event("purchase", ["transaction_id": "A-17", "total": 5], user: "ada"))
      #expect(mapped.properties.map(\.name) == ["transaction_id", "total"])
      #expect(mapping(Event("other")) == Event("other"))
      #expect(mapping(Event("other", ["a": 1])) == Event("other", ["a": 1]))
    }
  }

  @Test func `an EventMapping keeps every value if two properties would get the same name`() async {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      let mapping = EventMapping.renaming(properties: ["a": "b", "b": "c", "x": "y", "z": "y"])
      func mapped(_ properties: AmbientFields) -> AmbientFields {
        mapping(Event("e", properties)).properties
      }
      // Each may take the name that another gives up.
      #expect(mapped(["a": 1, "b": 2]) == ["b": 1, "c": 2])
      #expect(mapped(["b": 2, "a": 1]) == ["c": 2, "b": 1])
      #expect(mapped(["a": 1, "c": 3]) == ["b": 1, "c": 3])
      // The one whose new name is taken stays, and so does the one that would have had its own.
      #expect(mapped(["a": 1, "b": 2, "c": 3]) == ["a": 1, "b": 2, "c": 3])
      #expect(mapped(["x": 1, "z": 2]) == ["y": 1, "z": 2])
      #expect(mapped(["x": 1, "y": 2, "z": 3]) == ["x": 1, "y": 2, "z": 3])
      let swap = EventMapping.renaming(properties: ["a": "b", "b": "a"])
      #expect(swap(Event("e", ["a": 1, "b": 2])).properties == ["b": 1, "a": 2])
    }
  }

  @Test func `chained EventMappings apply in order, and EventMapping.none changes nothing`() {
    let mapping = EventMapping.renaming(events: ["order placed": "a"])
      .then(.renaming(events: ["a": "b"]))
    let event = Event("order placed", ["order": "A-17", "total": 5], user: "ada")
    #expect(mapping(event).name == "b")
    #expect(EventMapping.none(event) == event)
  }
}

@Suite struct `Net amounts for Google` {
  private func value(_ value: AmbientValue, _ rest: AmbientFields) -> AmbientValue? {
    let event = Event("refund", AmbientFields(["value": value]).merging(rest))
    return EventMapping.googleShop(event).properties["value"]
  }

  @Test
  func `for Google, tax and shipping are subtracted from a value unless their sum is greater`() {
    #expect(value(12, ["tax": 12]) == .double(0))
    #expect(value(12, ["tax": 5, "shipping": 7]) == .double(0))
    #expect(value(12, ["tax": 5, "shipping": 8]) == 12)
    #expect(value(12, ["tax": 0, "shipping": 0]) == 12)
    #expect(value(12, ["tax": 5, "shipping": -5]) == 12)
    #expect(value(12, ["tax": -1]) == 12)
    #expect(value(12, ["shipping": "2.5"]) == .double(9.5))
    #expect(value(12, ["tax": "much"]) == 12)
    #expect(value(.unsigned(12), ["tax": 1]) == .double(11))
    #expect(value("12", ["tax": 1]) == "11.0")
    #expect(value("nan", ["tax": 1]) == "nan")
    #expect(value(true, ["tax": 1]) == true)
  }

  @Test func `the net value for Google is rounded to four decimals, except for very large values`()
  {
    #expect(value(0.3, ["tax": 0.1]) == .double(0.2))
    #expect(value(1.00006, ["tax": 0.00002]) == .double(1))
    #expect(value(1.0002, ["tax": 0.0001]) == .double(1.0001))
    let large = value(200_000_000_000.25, ["tax": 0.015625])
    #expect(large == .double(200_000_000_000.234375))
    #expect(value(90_000_000_000.25, ["tax": 0.1]) == .double(90_000_000_000.15))
  }
}

@Suite struct `Values as JSON` {
  @Test(arguments: [
    (AmbientValue.null, "null"), (true, "true"), (-3, "-3"), (.unsigned(.max), "\(UInt64.max)"),
    (12.0, "12"), (1.5, "1.5"), (1e300, "1e+300"), (.double(.nan), #""nan""#),
    (.double(-0x1p53), "-9007199254740992"), (.double(0x1p53 + 2), "9.007199254740994e+15"),
    (.double(-.infinity), #""-inf""#), ("a\"\\\u{1}é", #""a\"\\\u0001é""#),
    (.array([1, "a", .null]), #"[1,"a",null]"#),
    (.fields(["a": 1, "b": AmbientFields(["c": 2])]), #"{"a":1,"b":{"c":2}}"#),
  ])
  func `each kind of AmbientValue is written as the expected JSON`(
    value: AmbientValue, text: String
  ) {
    #expect(value.json == text)
  }
}
