import Foundation
import Testing

@testable import Ambient

@Suite struct `Fields as bytes` {
  @Test func `are read back as they were written, of every kind`() {
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    let values: [AmbientValue] = [
      .boolean(true), .boolean(false), .integer(.min), .integer(.max), .unsigned(.max),
      .double(0.1), .double(-.infinity), .double(.greatestFiniteMagnitude),
      .double(.leastNonzeroMagnitude),
      .string(""), .string("é \n \"x\""), .date(date), .date(.distantFuture), .array([]),
      .array([.null, .array([1, "a"]), .fields(["x": 1])]),

      .fields(["a": ["b": 1] as AmbientFields]),
    ]
    for value in values {
      let fields: AmbientFields = ["": value, "other": 1]
      #expect(fields.map(\.value) == [value, 1])
    }
  }

  @Test func `take the later value of a name that comes again, and leave out what is nil`() {
    let none: Int? = nil
    let fields: AmbientFields = [
      "a": 1, "b": none, "c": "x", "a": "later", "": 0, "d": [:] as AmbientFields, "": 2,
      "e": none, "a": none, "b": 5,
    ]
    #expect(fields.map(\.name) == ["b", "c", ""])
    #expect(fields.map(\.value) == [5, "x", 2])
    #expect((["a": none, "b": none] as AmbientFields).isEmpty)
    #expect((["ab": 1, "ba": 2, "a b": 3] as AmbientFields).count == 3)
  }

  @Test func `grow with what they hold`() {
    for count in [100, 489, 512, 5_000, 100_000] {
      let text = String(repeating: "x", count: count)
      let fields: AmbientFields = ["a": 1, text: text, "b": 0.5, "c": text]
      #expect(fields == AmbientFields(list: fields.list))
      #expect(fields.map(\.name) == ["a", text, "b", "c"] && fields["c"] == .string(text))
    }
  }

  @Test func `do not change with a copy, nor with what is written next`() {
    let fields: AmbientFields = ["a": 1]
    var copy = fields
    copy["b"] = 2
    fields.giveBack()
    let others: AmbientFields = ["c": 3]
    #expect(fields == ["a": 1] && copy == ["a": 1, "b": 2] && others == ["c": 3])
  }

  @Test func `of ten thousand names are written, joined and read in linear time`() throws {
    let many = AmbientFields(Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("n\($0)", $0) }))
    let recorder = LogRecorder()
    Log.withInstance(recorder) {
      Log.withMetadata(many) {
        Log.info("literal", ["n7": "inner", "more": 1])
        Log.info("all", many)
      }
    }
    let records = recorder.records
    #expect(records[0].metadata.count == 10_001 && records[0].metadata["n7"] == "inner")
    #expect(records[1].metadata == many)
    let line = LogFormat.json.line(records[0])
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect((read?["metadata"] as? [String: Any])?.count == 10_001)
    #expect(try Logfmt.read(LogFormat.logfmt.line(records[1])).count == 10_003)
  }
}

@Suite struct `A value that logs, or reads the fields, while they are written` {
  private struct Chatty: AmbientValueConvertible {
    let fields: AmbientFields
    var ambientValue: AmbientValue {
      Log.info("asked", ["within": 1, "read": fields.count])
      return .string("chatty \(fields["a"] ?? .null) \(Log.metadata)")
    }
  }

  @Test func `finds its own, and disturbs nobody's`() {
    let recorder = LogRecorder()
    Log.withInstance(recorder) {
      Log.withMetadata(["scope": 1]) {
        let fields: AmbientFields = ["a": 1, "b": 2]
        Log.info(
          "outer \(3, name: "named")", ["first": 1, "value": Chatty(fields: fields), "last": "x"])
      }
    }
    #expect(recorder.messages == ["asked", "outer 3"])
    #expect(recorder.records[0].metadata == ["scope": 1, "within": 1, "read": 2])
    #expect(
      recorder.records[1].metadata == [
        "scope": 1, "named": 3, "first": 1, "value": "chatty 1 scope=1", "last": "x",
      ])
  }
}
