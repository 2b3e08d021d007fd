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
      var list = AmbientFields()
      list["a"] = 1
      list[text] = .string(text)
      list["b"] = 0.5
      list["c"] = .string(text)
      #expect(fields == list)
      #expect(fields.map(\.name) == ["a", text, "b", "c"] && fields["c"] == .string(text))
    }
  }

  @Test func `that are all nil are none, in each format`() {
    let none: Int? = nil
    let recorder = LogRecorder()
    Log.withInstance(recorder) { Log.info("a", ["b": none, "c": none]) }
    #expect((["b": none] as AmbientFields).bytes == nil)
    #expect(LogFormat.json.line(recorder.records[0]).hasSuffix("\"message\":\"a\"}\n"))
    #expect(Event("a", ["b": none]).json == #"{"event":"a","properties":{}}"#)
  }

  @Test func `that a scope keeps take no more memory than they need`() {
    // What the thread has to spare, so that it has only the large one then.
    let held: [AmbientFields] = [["x": 1], ["y": 2]]
    let large: AmbientFields = ["text": String(repeating: "x", count: 1_500)]
    large.giveBack()
    let small: AmbientFields = ["a": 1]
    #expect(held.count == 2)
    let bytes = small.bytes?.compact
    #expect((small.bytes?.memory.count ?? 0) > 1_500 && bytes?.memory.count == 24 + 16 + 1 + 1)
    #expect(bytes?.list == [.init(name: "a", value: 1)] && bytes?.header.names != 0)
    let recorder = LogRecorder()
    Log.withInstance(recorder) { Log.withMetadata(small) { Log.info("a", ["a": 2, "b": 3]) } }
    #expect(recorder.records[0].metadata == ["a": 2, "b": 3])
  }

  @Test func `deeper than 64 levels are null, of every kind`() {
    let values: [AmbientValue] = [1, "x", true, .double(0.5), .unsigned(.max), .array([])]
    for value in values {
      for (levels, expected) in [(64, value), (65, .null)] {
        var nested = value
        for _ in 0..<levels { nested = .array([nested]) }
        let fields: AmbientFields = ["a": nested]
        var found = fields["a"]
        for _ in 0..<levels { if case .array(let inner)? = found { found = inner.first } }
        #expect(found == expected)
      }
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

  @Test func `of forty thousand names are written, joined and read in linear time`() throws {
    // Quadratic, each look-up would compare forty thousand names, which takes minutes.
    let count = 40_000
    let many = AmbientFields(Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0)", $0) }))
    let recorder = LogRecorder()
    Log.withInstance(recorder) {
      Log.withMetadata(many) {
        Log.info("literal", ["n7": "inner", "more": 1])
        Log.info("all", many)
        Log.withMetadata(many.merging(["n1": "between"])) { Log.info("both", ["n2": "last"]) }
      }
    }
    let records = recorder.records
    #expect(records[0].metadata.count == count + 1 && records[0].metadata["n7"] == "inner")
    #expect(records[1].metadata == many)
    #expect(records[2].metadata == many.merging(["n1": "between", "n2": "last"]))
    let line = LogFormat.json.line(records[0])
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect((read?["metadata"] as? [String: Any])?.count == count + 1)
    #expect(try Logfmt.read(LogFormat.logfmt.line(records[1])).count == count + 3)
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
