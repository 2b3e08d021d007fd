// SPDX-License-Identifier: Apache-2.0

import Ambient
import Foundation
import TestSupport
import Testing

struct `Field lists` {
  @Test func `AmbientFields keep the order in which the fields were written`() {
    let fields: AmbientFields = ["b": 1, "a": "x", "c": true]
    #expect(fields.map(\.name) == ["b", "a", "c"])
    #expect(fields.map(\.value) == [.integer(1), .string("x"), .boolean(true)])
  }

  @Test func `AmbientFields indexes start at zero, however the fields were created`() {
    var list = AmbientFields()
    #expect(list.startIndex == 0 && list.endIndex == 0)
    list["a"] = 1
    list["b"] = 2
    var many = list
    for number in 0..<40 { many["\(number)"] = 3 }
    for (fields, count) in [(["a": 1, "b": 2] as AmbientFields, 2), (list, 2), (many, 42)] {
      #expect(fields.startIndex == 0 && fields.endIndex == count)
      #expect(fields.first?.name == "a" && fields[1].name == "b")
    }
  }

  @Test func `different AmbientFields have different hashes`() {
    let all: [AmbientFields] = [[:], ["a": 1], ["a": 2], ["b": 1], ["a": 1, "b": 1]]
    #expect(Set(all.map(\.hashValue)).count == all.count)
    #expect(Set(all.flatMap { $0.map(\.hashValue) }).count == 3)
  }

  @Test func `a repeated name in AmbientFields keeps its first position and gets the later value`()
  {
    let fields: AmbientFields = ["a": 1, "b": 2, "a": 3]
    #expect(fields == ["a": 3, "b": 2])
    #expect(fields.map(\.name) == ["a", "b"])
  }

  @Test func `AmbientFields with the same contents are equal and have equal hashes in any order`() {
    let fields: AmbientFields = ["a": 1, "b": ["x": 1, "y": 2] as AmbientFields, "c": true]
    let others: AmbientFields = ["c": true, "b": ["y": 2, "x": 1] as AmbientFields, "a": 1]
    #expect(fields == others)
    #expect(fields.hashValue == others.hashValue)
    #expect(Set([fields, others, fields.merging(["a": 2])]).count == 2)
    #expect(fields != ["a": 1, "b": 2, "c": true])
    #expect(fields != ["a": 1, "c": true])
    #expect(["a": 1, "b": 2] as AmbientFields != ["a": 2, "b": 1])
    let many = AmbientFields(
      Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", $0) }))
    var reversed = AmbientFields()
    for field in many.reversed() { reversed[field.name] = field.value }
    #expect(many == reversed && many.hashValue == reversed.hashValue)
    reversed["7"] = 8
    #expect(many != reversed)
  }

  @Test func `nil values and empty nested fields are left out of AmbientFields`() {
    let group: AmbientFields = [:]
    let fields: AmbientFields = ["a": nil, "b": 2, "c": group, "d": ["e": nil] as AmbientFields]
    #expect(fields.map(\.name) == ["b"])
    #expect(AmbientFields(["a": group]).isEmpty)
    var removed: AmbientFields = ["a": 1, "b": 2]
    removed["a"] = .fields([:])
    #expect(removed == ["b": 2])
    #expect(["a": 1, "a": nil] as AmbientFields == [:])
  }

  @Test(.withoutSanitizer)
  func `AmbientFields with 40,000 names are created and merged in linear time`() {
    // Quadratic, each would compare a thousand million names, which takes minutes.
    let count = 40_000
    let fields = AmbientFields(
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("name \($0)", $0) }))
    #expect(fields.count == count)
    let merged = fields.merging(
      AmbientFields(
        Dictionary(uniqueKeysWithValues: (count / 2..<2 * count).map { ("name \($0)", -$0) })))
    #expect(merged.count == 2 * count)
    #expect(merged["name 1"] == 1 && merged["name 30000"] == -30_000)
  }

  @Test func `a null value is left out of AmbientFields, and assigning null removes a field`() {
    let nothing: Int? = nil
    var fields: AmbientFields = ["a": nothing, "b": 2, "c": AmbientValue.null]
    #expect(fields == ["b": 2])
    fields["b"] = nil
    #expect(fields.isEmpty)
    fields["d"] = .null
    #expect(fields.isEmpty)
    fields["d"] = 4
    #expect(fields["d"] == 4)
    #expect(fields["e"] == nil)
  }

  @Test func `AmbientFields merging() prefers the values of its argument`() {
    let base: AmbientFields = ["a": 1, "b": 2]
    #expect(base.merging(["b": 3, "c": 4]) == ["a": 1, "b": 3, "c": 4])
    #expect(AmbientFields().merging(base) == base)
    #expect(base.merging([:]) == base)
  }

  @Test func `values of many types are converted to AmbientValues`() {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let id = UUID()
    let values: [(any AmbientValueConvertible, AmbientValue)] = [
      (Int8(-1), .integer(-1)), (UInt16(7), .integer(7)), (UInt64.max, .unsigned(.max)),
      (Int64.min, .integer(.min)), (1.5, .double(1.5)), (Float(0.5), .double(0.5)),
      ("text".dropFirst(), .string("ext")), (date, .date(date)), (id, .string(id.uuidString)),
      (Duration.milliseconds(1500), .double(1.5)), ([1, 2], .array([1, 2])),
      ([String: Int](), .fields([:])), (["b": 1, "a": 2], .fields(["a": 2, "b": 1])),
      (Optional<Int>.none, .null), (Optional(3), .integer(3)),
      (["k": "v"] as AmbientFields, .fields(["k": "v"])), (UInt128(7), .integer(7)),
      (Int128.max - 1, .string("170141183460469231731687303715884105726")),
      (1..<5, .array([1, 5])), (1...5, .array([1, 5])), (Data([0, 255, 7]), .string("AP8H")),
    ]
    for (value, expected) in values { #expect(value.ambientValue == expected) }
  }

  @Test func `nested fields in an array can be written as literals`() {
    let price = 4
    let fields: AmbientFields = ["items": .array([["id": "a", "price": price], ["id": "b"]])]
    #expect(
      fields["items"]
        == .array([.fields(["id": "a", "price": .integer(4)]), .fields(["id": "b"])]))
  }

  @Test func `each case of AmbientValue equals its literal`() {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let fields: AmbientFields = [
      "boolean": .boolean(true), "integer": .integer(-1), "unsigned": .unsigned(.max),
      "double": .double(0.5), "string": .string("a"), "date": .date(date), "null": .null,
      "array": .array([1, "a", .null]), "fields": .fields(["a": 1, "b": nil]),
    ]
    let values: [AmbientValue] = [
      true, -1, UInt64.max.ambientValue, 0.5, "a", date.ambientValue,
      [AmbientValue.integer(1), "a", .null].ambientValue, (["a": 1] as AmbientFields).ambientValue,
    ]
    #expect(fields.map(\.value) == values && fields["null"] == nil)
  }

  @Test func `AmbientValues are equal only if their contents are equal, whether revealed or not`() {
    let values: [AmbientValue] = [
      .null, true, false, 1, -1, .unsigned(.max), .unsigned(.max - 1), 0.5, 1.5, "a", "b", "",
      .date(Date(timeIntervalSinceReferenceDate: 0)),
      .date(Date(timeIntervalSinceReferenceDate: 1)), .array([]), .array([1]), .array([1, 2]),
      .fields([:]), .fields(["a": 1]), .fields(["a": 2]),
    ]
    for (place, value) in values.enumerated() {
      for (other, second) in values.enumerated() {
        #expect((value == second) == (place == other), "\(value) and \(second)")
        let shown = AmbientValue.revealed(second, .private)
        #expect((value == shown) == (place == other) && (shown == value) == (place == other))
      }
      #expect(value.hashValue == AmbientValue.revealed(value, .private).hashValue)
    }
  }

  @Test func `signed and unsigned AmbientValues with the same number are equal and hash equally`() {
    let (signed, unsigned) = (AmbientValue.integer(7), AmbientValue.unsigned(7))
    #expect(signed == unsigned && unsigned == signed)
    #expect(Set([signed, unsigned, UInt64(7).ambientValue, 7.ambientValue]).count == 1)
    #expect(AmbientValue.integer(-1) != .unsigned(.max))
    #expect(AmbientValue.unsigned(.max) == UInt.max.ambientValue)
    #expect(["a": unsigned] as AmbientFields == ["a": signed])
    #expect(AmbientValue.unsigned(.max).description == "18446744073709551615")
    #expect(AmbientValue.unsigned(7).description == "7" && AmbientValue.unsigned(0).json == "0")
  }
}

@Suite struct `Text field values` {
  @Test func `a text field value is quoted only if at least one of its bytes needs quotes`() {
    for length in Array(1...20) + [31, 32, 33] {
      for byte in UInt8(0)...0x7F {
        let isBare = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != 0x3D
        let escape = Self.escape(of: byte)
        for place in 0..<length {
          var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
          bytes[place] = byte
          let text = String(decoding: bytes, as: UTF8.self)
          let isDigit = length == 1 && (0x30...0x39).contains(byte)
          let isBracket = place == 0 && (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{"))
          bytes.replaceSubrange(place...place, with: escape)
          let quoted = "\"" + String(decoding: bytes, as: UTF8.self) + "\""
          let shown = AmbientValue.string(text).description
          if shown == (isBare && !isDigit && !isBracket ? text : quoted) { continue }
          Issue.record("\(byte) at \(place) of \(length): \(shown)")
        }
      }
      let text = String(repeating: "x", count: length - 1) + "é"
      #expect(AmbientValue.string(text).description == "\"\(text)\"")
    }
  }

  /// How JSON has the byte.
  private static func escape(of byte: UInt8) -> [UInt8] {
    let text =
      switch byte {
      case 0x09: "\\t"
      case 0x0A: "\\n"
      case 0x0D: "\\r"
      case 0x22: "\\\""
      case 0x5C: "\\\\"
      case ..<0x20, 0x7F: "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
      default: String(UnicodeScalar(byte))
      }
    return Array(text.utf8)
  }

  @Test func `in JSON, special bytes in field names and values are escaped at any position`() {
    for length in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40] {
      for byte in [0, 0x09, 0x0A, 0x1F, 0x20, 0x22, 0x3D, 0x5C, 0x7E, 0x7F] as [UInt8] {
        for place in Set([0, 1, length / 2, length - 2, length - 1]) where 0..<length ~= place {
          var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
          bytes[place] = byte
          let text = String(decoding: bytes, as: UTF8.self)
          bytes.replaceSubrange(place...place, with: Self.escape(of: byte))
          let quoted = "\"" + String(decoding: bytes, as: UTF8.self) + "\""
          let json = AmbientValue.fields([text: text]).json
          if json != "{\(quoted):\(quoted)}" { Issue.record("\(json) of \(byte) at \(place)") }
        }
      }
    }
  }
}

@Suite struct `Text that looks like another value` {
  @Test(arguments: [
    "null", "true", "false", "1", "-1", "+1", "0", "19.9", "1e3", "-0.5E-7", ".5", "0x1F", "0x1p-3",
    "1E+5", "", "nan", "NaN", "-nan", "+NAN", "snan", "nan(0x1)", "inf", "INF", "-inf", "+Inf",
    "infinity",
    "-Infinity", "[1]", "[]", "{\"a\":1}", "{}",
  ])
  func `a text field value that could be read as a number, Boolean, null or list is quoted`(
    text: String
  ) {
    let shown = text.replacing("\"", with: "\\\"")
    #expect(AmbientValue.string(text).description == "\"\(shown)\"")
    #expect((["a": text] as AmbientFields).description == "a=\"\(shown)\"")
  }

  @Test(arguments: [
    "nullable", "truth", "falsely", "10.0.0.1", "1st", "-", "--", "A-17", "2026-11", "nano", "nans",
    "info", "infinite", "infinitys", "i", "N", "sna", "snans", "x[1]", "12:30", "1/2", "1e-x",
    "4f3e2a1b-5c6d-4e7f-8a9b-0c1d2e3f4a5b",
  ])
  func `a text field value that only resembles a number or a keyword isn't quoted`(text: String) {
    #expect(AmbientValue.string(text).description == text)
  }

  @Test func `null and number field values are written differently from the same text`() {
    #expect(AmbientValue.null.description == "null")
    #expect(AmbientValue.integer(1).description == "1")
    #expect(AmbientValue.double(.nan).description == "nan")
    #expect(AmbientValue.double(-.infinity).description == "-inf")
    #expect(AmbientValue.array([.double(.infinity)]).description == "[\"inf\"]")
    #expect(AmbientValue.array([.null, "null", 1, "1"]).description == #"[null,"null",1,"1"]"#)
  }
}

@Suite struct `Custom value types` {
  private enum Payment: String, AmbientValueConvertible { case card }
  private struct Refused: Error {}

  @Test func `an enum with a raw value becomes a field value by declaring AmbientValueConvertible`()
  {
    let fields: AmbientFields = ["payment": Payment.card]
    #expect(fields["payment"] == "card")
  }

  @Test
  func `a value whose type isn't AmbientValueConvertible can be a field by its description`() {
    let error: any Error = Refused()
    let fields: AmbientFields = ["error": AmbientValue(describing: error)]
    #expect(fields["error"] == "Refused()")
  }

  @Test func `AmbientFields from a dictionary are sorted by name`() {
    #expect(AmbientFields(["b": 2, "a": 1]).map(\.name) == ["a", "b"])
  }

  @Test func `in JSON, a Double field with a whole number of up to 53 bits has no fraction`() {
    #expect(AmbientValue.double(12).json == "12" && AmbientValue.double(-0.5).json == "-0.5")
    #expect(AmbientValue.double(9_007_199_254_740_991).json == "9007199254740991")
    #expect(AmbientValue.double(9_007_199_254_740_992).json == "9007199254740992")
    #expect(AmbientValue.double(-9_007_199_254_740_992).json == "-9007199254740992")
    #expect(AmbientValue.double(9_007_199_254_740_994).json == "9.007199254740994e+15")
  }

  @Test func `a Float becomes the Double field value with the same shortest decimal digits`() {
    #expect(Float(0.1).ambientValue == 0.1)
    #expect(Character("é").ambientValue == "é")
  }
}
