// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Canonically equivalent field names` {
  private let one = "caf\u{E9}"
  private let two = "cafe\u{301}"

  @Test func `field names that differ only in Unicode composition are separate fields`() {
    #expect(one == two)
    for more in [0, 40] {
      var fields = AmbientFields()
      for index in 0..<more { fields["n\(index)"] = 1 }
      fields[one] = 1
      fields[two] = 2
      var others: AmbientFields = ["caf\u{E9}": 1, "cafe\u{301}": 2]
      #expect(others.count == 2 && others[one] == 1 && others[two] == 2)
      for index in 0..<more { others["n\(index)"] = 1 }
      #expect(fields.count == more + 2 && fields[one] == 1 && fields[two] == 2)
      #expect(fields == others && fields.hashValue == others.hashValue)
      #expect(fields.merging(others) == fields)
      others[two] = nil
      #expect(others != fields && others[one] == 1 && others.merging(fields) == fields)
    }
    #expect(["caf\u{E9}": 1] as AmbientFields != ["cafe\u{301}": 1])
    let fields: AmbientFields = ["caf\u{E9}": 1, "cafe\u{301}": 2]
    let reversed: AmbientFields = ["cafe\u{301}": 2, "caf\u{E9}": 1]
    #expect(AmbientValue.sensitive(fields) == .sensitive(reversed))
  }

  @Test func `in scope metadata, field names with different Unicode composition stay separate`() {
    let recorder = LogRecorder()
    var many = AmbientFields()
    for index in 0..<200 { many["name \(index)"] = 1 }
    many[one] = "outer"
    Log.withInstance(recorder) {
      Log.withMetadata(many) { Log.info("a", ["cafe\u{301}": "inner", "name 7": 2]) }
      Log.withMetadata(["cafe\u{301}": "outer"]) { Log.info("b", many) }
    }
    #expect(recorder.records[0].metadata[one] == "outer")
    #expect(recorder.records[0].metadata[two] == "inner")
    #expect(recorder.records.map(\.metadata.count) == [202, 202])
  }

  @Test func `AmbientFields from a literal and from a list are read equally by index and name`() {
    let literal: AmbientFields = ["a": 1, "b": "x", "c": [1, 2], "d": true]
    let list = AmbientFields(list: literal.list)
    for fields in [literal, list] {
      #expect(fields.count == 4 && fields[2].name == "c" && fields[2].value == .array([1, 2]))
      #expect(fields.indices.map { fields[$0] } == Array(fields))
      #expect(fields.last?.name == "d" && fields["b"] == "x" && fields["e"] == nil)
      #expect(fields.reversed().map(\.name) == ["d", "c", "b", "a"])
    }
  }
}
