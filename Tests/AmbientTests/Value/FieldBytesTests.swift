// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Encoded fields` {
  @Test func `values of every kind are read back from encoded fields unchanged`() {
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

  @Test func `a repeated name in encoded fields gets the later value, and nil is left out`() {
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

  @Test func `encoded fields can have names and texts of up to 100,000 bytes`() {
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

  @Test func `a log record whose fields are all nil has no metadata in its JSON line`() {
    let none: Int? = nil
    let recorder = LogRecorder()
    Log.withInstance(recorder) { Log.info("a", ["b": none, "c": none]) }
    #expect((["b": none] as AmbientFields).bytes == nil)
    #expect(LogFormat.json.line(recorder.records[0]).hasSuffix("\"message\":\"a\"}\n"))
    #expect(Event("a", ["b": none]).json == #"{"event":"a","properties":{}}"#)
  }

  @Test func `log metadata stored by withMetadata uses only the memory that it needs`() {
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

  @Test func `field values nested deeper than 64 levels are stored as null`() {
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

  @Test(arguments: [63, 64, 65])
  func `in JSON and descriptions, field values nested deeper than 64 levels become null`(
    levels: Int
  ) throws {
    for (value, text) in [(1, "1"), ("x", #""x""#), (.array([]), "[]")] as [(AmbientValue, String)]
    {
      var nested = value
      for _ in 0..<levels { nested = .array([nested]) }
      let inner = levels > 64 ? "null" : text
      let expected =
        String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
      let json = LineBuffer.with { line in
        line.append(json: nested)
        return line.text
      }
      #expect(json == expected)
      #expect(nested.description == expected)
      #expect(Event("e", ["a": nested]).json.contains(#""a":\#(expected)}"#))
      let listed = AmbientFields(list: [AmbientFields.Field(name: "a", value: nested)])
      #expect(listed.description == "a=\(expected)")
      let record = LogRecord(
        date: Date(timeIntervalSinceReferenceDate: 0), level: .info,
        message: "\(nested, name: "a")", metadata: [:], source: SourcePlace(fileID: "a", line: 1))
      #expect(record.message.description == expected)
      #expect(record.metadata.description == "a=\(expected)")
    }
  }

  @Test func `the fields in FieldBytes can be read by their positions`() throws {
    let fields: AmbientFields = ["a": 1, "b": "x", "": true]
    let bytes = try #require(fields.bytes)
    #expect((0..<5).map { bytes.field(after: $0)?.name } == ["a", "b", "", nil, nil])
    #expect((0..<5).map { bytes.field(after: $0)?.value } == [1, "x", true, nil, nil])
  }

  @Test func `encoded fields don't change if a copy is changed or other fields are written`() {
    let fields: AmbientFields = ["a": 1]
    var copy = fields
    copy["b"] = 2
    fields.giveBack()
    let others: AmbientFields = ["c": 3]
    #expect(fields == ["a": 1] && copy == ["a": 1, "b": 2] && others == ["c": 3])
  }

  @Test(.withoutSanitizer)
  func `log metadata with 40,000 fields is written, merged and read in linear time`() throws {
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

/// The bytes themselves, since a reader would follow wrong ones to anywhere.
@Suite struct `Changes to encoded fields` {
  private func bytes(_ fields: FieldBytes) -> [UInt8]? {
    let (start, end) = (fields.header.start, fields.header.end)
    guard FieldBytes.headerSize <= start, start <= end, end <= fields.memory.count else {
      return nil
    }
    return Array(fields.memory[start..<end])
  }

  private func written(_ fields: [(String, String)]) -> [UInt8]? {
    bytes(FieldBytes(fields.map { AmbientFields.Field(name: $0.0, value: .string($0.1)) }))
  }

  private func add(_ name: String, _ text: String, to fields: inout FieldBytes) {
    name.withBytes { name in
      text.withBytes { text in
        fields.add(.string, EscapeScan.form(of: text), name: name, value: text)
      }
    }
  }

  @Test(arguments: ["again", "of another length", "x"])
  func `adding a field name again to encoded fields replaces the value in its place`(text: String) {
    let first = [("a", "first"), ("b", "second"), ("c", "third")]
    for place in first.indices {
      var fields = FieldBytes(forNames: ())
      for (name, text) in first { add(name, text, to: &fields) }
      #expect(bytes(fields) == written(first))
      var expected = first
      expected[place].1 = text
      add(first[place].0, text, to: &fields)
      #expect(bytes(fields) == written(expected))
    }
  }

  @Test func `removing an encoded field leaves the other encoded fields unchanged`() {
    let all = [("a", "first"), ("bb", "second"), ("ccc", "third")]
    for place in all.indices {
      var fields = FieldBytes(all.map { AmbientFields.Field(name: $0.0, value: .string($0.1)) })
      let sizes = all.map { FieldHeader.size + $0.0.utf8.count + $0.1.utf8.count }
      fields.remove(at: sizes[..<place].reduce(0, +), size: sizes[place])
      var left = all
      left.remove(at: place)
      #expect(bytes(fields) == written(left))
    }
  }

  @Test(arguments: [0, 1])
  func `the memory of encoded fields grows only if a new field doesn't fit`(
    missing: Int
  ) throws {
    var names = FieldBytes(forNames: ())
    var room = names.memory.count
    let behind = String(
      repeating: "x", count: room - names.header.end - FieldHeader.size - 1 + missing)
    add("n", behind, to: &names)
    #expect((names.memory.count > room) == (missing > 0))
    #expect(bytes(names) == written([("n", behind)]))
    var fields = FieldBytes()
    room = fields.memory.count
    let before = String(
      repeating: "x",
      count: fields.header.start - FieldBytes.headerSize - FieldHeader.size - 1 + missing)
    fields.prepend("n", .string(before), depth: 0)
    #expect((fields.memory.count > room) == (missing > 0))
    #expect(bytes(fields)?.count == FieldHeader.size + 1 + before.utf8.count)
  }

  @Test(arguments: [(1_024, false), (1_025, true)])
  func `FieldBytes.compact copies the fields only if more than 1,024 bytes are unused`(
    free: Int, isCopied: Bool
  ) {
    let size = FieldBytes.headerSize + FieldHeader.size + 2
    // The fields take memory of that size, which this thread has to spare.
    ThreadMemory.withCurrent { _ = ($0.takeFieldSpare(), $0.takeFieldSpare()) }
    ThreadMemory.keep(fields: [UInt8](repeating: 0, count: size + free))
    let fields = FieldBytes([AmbientFields.Field(name: "a", value: 1)])
    #expect(fields.memory.count == size + free)
    let compact = fields.compact
    #expect(compact.memory.count == (isCopied ? size : size + free))
    #expect(bytes(compact) == bytes(fields) && compact.header.names == fields.header.names)
  }
}

@Suite struct `Field names sharing a hash bit` {
  /// As the benchmark of the log has them.
  static let names = ["channel", "link", "quota", "region", "size", "source", "table", "task"]

  private static func hash(_ name: String) -> UInt16 { name.withBytes { FieldHeader.hash(of: $0) } }

  @Test func `eight field names with the same hash bit have eight different hashes`() {
    let hashes = Self.names.map(Self.hash)
    #expect(Set(hashes).count == 8 && Set(hashes.map(FieldHeader.bit)).count == 1)
    let others = ["company", "gift", "order", "method", "kind", "target", "value", "code"]
    #expect(Set(others.map { FieldHeader.bit(Self.hash($0)) }).count == 8)
  }

  @Test func `field names that share a hash bit stay separate fields unless the names are equal`() {
    let names = Self.names
    for first in names.indices {
      for second in names.indices.dropFirst(first) {
        var elements: [(String, (any AmbientValueConvertible)?)] = names.enumerated().map {
          ($1, $0)
        }
        elements[second] = (names[first], "later, and of another length")
        let fields = AmbientFields(literal: elements)
        var expected: [(String, AmbientValue)] = names.enumerated().map {
          ($1, .integer(Int64($0)))
        }
        expected[first].1 = "later, and of another length"
        if first != second { expected.remove(at: second) }
        #expect(fields.map(\.name) == expected.map(\.0))
        #expect(fields.map(\.value) == expected.map(\.1))
        for (name, value) in expected { #expect(fields[name] == value) }
        if first != second { #expect(fields[names[second]] == nil) }
      }
    }
    let thrice: AmbientFields = ["task": 1, "link": 2, "task": 3, "link": "x", "task": 4, "a": 5]
    #expect(thrice.map(\.name) == ["task", "link", "a"] && thrice.map(\.value) == [4, "x", 5])
  }

  @Test func `fields whose names share a hash bit merge correctly with scope metadata`() {
    let recorder = LogRecorder()
    Log.withInstance(recorder) {
      Log.withMetadata(["channel": 1, "link": 2, "other": 3, "quota": 4]) {
        Log.info("a", ["region": 5, "size": 6])
        Log.info("a", ["link": "inner", "size": 6, "quota": 7])
        Log.info("a", ["quota": 1, "other": 2, "link": 3, "channel": 4])
      }
    }
    let found = recorder.records.map { $0.metadata.map { "\($0.name)=\($0.value)" } }
    #expect(
      found == [
        ["channel=1", "link=2", "other=3", "quota=4", "region=5", "size=6"],
        ["channel=1", "other=3", "link=inner", "size=6", "quota=7"],
        ["quota=1", "other=2", "link=3", "channel=4"],
      ])
  }
}

@Suite struct `Field names differing in one bit` {
  /// Each bit of each byte but the uppermost, which would be no ASCII.
  private static let names: [String] = {
    let name = Array("the address to which an order is to be shipped".utf8)
    var names: [String] = [String(decoding: name, as: UTF8.self)]
    for place in name.indices {
      for bit in 0..<7 {
        var other = name
        other[place] ^= 1 << bit
        names.append(String(decoding: other, as: UTF8.self))
      }
    }
    return names
  }()

  @Test(arguments: [2, 31, 32, 33, 64, 300])
  func `field names that differ in one bit are separate fields`(count: Int) throws {
    let names = Self.names.prefix(count)
    let literal = AmbientFields(literal: names.enumerated().map { ($1, $0) })
    var list = AmbientFields()
    for (place, name) in names.enumerated() { list[name] = .integer(Int64(place)) }
    #expect(literal.map(\.name) == Array(names) && list == literal && literal == list)
    for (place, name) in names.enumerated() {
      #expect(literal[name] == .integer(Int64(place)) && list[name] == .integer(Int64(place)))
    }
    let twice = AmbientFields(
      literal: names.map { ($0, 1) } + names.reversed().map { ($0, "again") })
    #expect(twice.map(\.name) == Array(names) && twice.allSatisfy { $0.value == "again" })
    let recorder = LogRecorder()
    let half = AmbientFields(literal: names.dropFirst(count / 2).map { ($0, "inner") })
    Log.withInstance(recorder) {
      Log.withMetadata(literal) { Log.info("a", half) }
      Log.withMetadata(half) { Log.info("a", literal) }
    }
    let found = recorder.records.map(\.metadata)
    #expect(found[0] == literal.merging(half) && found[1] == literal)
    #expect(found[0].map(\.name) == Array(names))
  }
}

@Suite struct `Fields by subscript` {
  @Test func `random changes of AmbientFields by subscript give the same result as a simple array`()
  {
    var numbers = SeededNumbers(7)
    for most in [3, 40, 200] {
      var fields = AmbientFields()
      var model: [AmbientFields.Field] = []
      for _ in 0..<3_000 {
        let name = "name \(Int.random(in: 0..<most, using: &numbers))"
        let place = model.firstIndex { $0.name == name }
        if Int.random(in: 0..<3, using: &numbers) == 0 {
          fields[name] = nil
          if let place { model.remove(at: place) }
        } else {
          let field = AmbientFields.Field(
            name: name, value: .integer(Int64(truncatingIfNeeded: numbers.next())))
          fields[name] = field.value
          if let place { model[place] = field } else { model.append(field) }
        }
        guard Array(fields) == model, fields.count == model.count,
          fields[name] == model.first(where: { $0.name == name })?.value
        else {
          Issue.record("\(fields) is not \(model)")
          return
        }
      }
      #expect(fields.isEmpty == model.isEmpty && fields.indices.map { fields[$0] } == model)
      for field in model { fields[field.name] = nil }
      #expect(fields.isEmpty && fields.bytes == nil && fields == [:])
    }
  }

  @Test func `changing a copy of AmbientFields with 100 fields doesn't change the original`() {
    var fields = AmbientFields()
    for number in 0..<100 { fields["\(number)"] = 1 }
    var copy = fields
    copy["7"] = nil
    copy["8"] = 2
    copy["100"] = 3
    #expect(fields.count == 100 && fields["7"] == 1 && fields["8"] == 1 && fields["100"] == nil)
    #expect(copy.count == 100 && copy["7"] == nil && copy["8"] == 2 && copy["100"] == 3)
  }

  @Test(.withoutSanitizer)
  func `setting, reading and removing 100,000 AmbientFields takes linear time`() {
    // Quadratic, each would compare ten thousand million names, which takes minutes.
    let names = (0..<100_000).map { "name \($0)" }
    var fields = AmbientFields()
    for name in names { fields[name] = 1 }
    for name in names { fields[name] = fields[name].map { .array([$0]) } }
    #expect(fields.count == names.count && fields.allSatisfy { $0.value == .array([1]) })
    for name in names.reversed() { fields[name] = nil }
    #expect(fields.isEmpty)
  }
}

@Suite struct `Values that log while being written` {
  private struct Chatty: AmbientValueConvertible {
    let fields: AmbientFields
    var ambientValue: AmbientValue {
      Log.info("asked", ["within": 1, "read": fields.count])
      return .string("chatty \(fields["a"] ?? .null) \(Log.metadata)")
    }
  }

  @Test func `a field value that logs while it is encoded doesn't corrupt the other fields`() {
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
