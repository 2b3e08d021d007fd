// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `JSON reading` {
  private func read(_ text: String) throws(JSONReader.Mistake) -> AmbientValue {
    try text.withBytes { bytes in
      Result { () throws(JSONReader.Mistake) in try JSONReader.value(bytes) }
    }.get()
  }

  @Test func `the JSON reader parses all JSON syntax`() throws {
    let text = """
       {"a" : [ 1 , -2.5e3 , true,false , null ] ,\t"b":{"c":"\\u00e9\\ud83d\\uded2\\/\\b\\f\\n\\r\\t"},
      "empty":{}, "list":[], "later":1, "later":2} \r\n
      """
    #expect(
      try read(text)
        == .fields([
          "a": [1, -2500.0, true, false, .null] as [AmbientValue],
          "b": ["c": "\u{E9}\u{1F6D2}/\u{8}\u{C}\n\r\t"] as AmbientFields,
          "list": [AmbientValue](), "later": 2,
        ]))
  }

  @Test func `the JSON reader reads an unpaired surrogate as the replacement character`() throws {
    #expect(try read(#""\ud83dx""#) == "\u{FFFD}x")
    #expect(try read(#""\ud83d\u0041""#) == "\u{FFFD}A")
    #expect(try read(#""\udc00""#) == "\u{FFFD}")
    #expect(try read(#""\ud83d\ud83d""#) == "\u{FFFD}\u{FFFD}")
    #expect(try read(#""\udc00\udc00""#) == "\u{FFFD}\u{FFFD}")
    #expect(try read(#""\udbff\udfff\ud800\udc00""#) == "\u{10FFFF}\u{10000}")
    #expect(try read(#""\ud7ff\ue000""#) == "\u{D7FF}\u{E000}")
    #expect(try read(#""\ud83dn\ud83d\n""#) == "\u{FFFD}n\u{FFFD}\n")
  }

  @Test func `the error for invalid JSON has the offset of the invalid byte`() {
    for (text, offset) in [
      ("", 0), ("{", 1), ("[1,", 3), ("[1 2]", 3), ("{1}", 1), (#"{"a" 1}"#, 5), (#""a"#, 2),
      ("tru", 0), ("nul", 0), ("-", 0), ("1-2", 0), (#""\x""#, 2), (#""\u12g4""#, 3),
      (#""\u+123""#, 3), (#""\u-000""#, 3), (#""\u123""#, 3), (#""\"#, 2), ("\"\u{1}\"", 1),
      ("1 1", 2), ("[1}", 2), (#"{"a":1]"#, 6),
    ] {
      let mistake = #expect(throws: JSONReader.Mistake.self, "\(text)") { try read(text) }
      #expect(mistake?.offset == offset, "\(text): \(mistake as Any)")
    }
  }

  @Test func `JSON nested deeper than 128 levels is refused`() throws {
    func nested(_ levels: Int, _ start: String = "[", _ inner: String = "", _ end: String = "]")
      -> String
    {
      String(repeating: start, count: levels) + inner + String(repeating: end, count: levels)
    }
    _ = try read(nested(128))
    _ = try read(nested(127, #"{"a":"#, "1", "}"))
    #expect(throws: JSONReader.Mistake.self) { try read(nested(129)) }
    #expect(throws: JSONReader.Mistake.self) { try read(nested(128, #"{"a":"#, "1", "}")) }
    #expect(throws: JSONReader.Mistake.self) { try read(nested(1_000_000)) }
  }

  @Test(
    arguments: [
      ("0", .integer(0)), ("-0", .integer(0)), ("12", .integer(12)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .unsigned(1 << 63)), ("18446744073709551615", .unsigned(.max)),
      ("18446744073709551616", .double(18_446_744_073_709_551_616)), ("1.0", .double(1)),
      ("1e3", .double(1_000)), ("1E-2", .double(0.01)), ("25e+1", .double(250)),
    ] as [(String, AmbientValue)])
  func `JSON numbers are read as integers or doubles`(text: String, value: AmbientValue) throws {
    let found = try read(" \t\r\n\(text) \t\r\n")
    #expect(found == value)
    #expect(try read("[\(text)]") == .array([value]))
  }
}
