import Foundation
import Testing

@testable import Ambient

@Suite struct `Reading JSON` {
  private func read(_ text: String) throws(JSONReader.Mistake) -> AmbientValue {
    try text.withBytes { bytes in
      Result { () throws(JSONReader.Mistake) in try JSONReader.value(bytes) }
    }.get()
  }

  @Test func `takes all that JSON has`() throws {
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

  @Test func `takes half a pair for an unknown character, and keeps what follows`() throws {
    #expect(try read(#""\ud83dx""#) == "\u{FFFD}x")
    #expect(try read(#""\ud83d\u0041""#) == "\u{FFFD}A")
    #expect(try read(#""\udc00""#) == "\u{FFFD}")
  }

  @Test func `says where a text is wrong`() {
    for (text, offset) in [
      ("", 0), ("{", 1), ("[1,", 3), ("[1 2]", 3), ("{1}", 1), (#"{"a" 1}"#, 5), (#""a"#, 2),
      ("tru", 0), ("nul", 0), ("-", 0), ("1-2", 0), (#""\x""#, 2), (#""\u12g4""#, 3),
      (#""\u+123""#, 3), (#""\"#, 2), ("\"\u{1}\"", 1), ("1 1", 2), ("[1}", 2), (#"{"a":1]"#, 6),
    ] {
      let mistake = #expect(throws: JSONReader.Mistake.self, "\(text)") { try read(text) }
      #expect(mistake?.offset == offset, "\(text): \(mistake as Any)")
    }
  }

  @Test func `refuses what is too deep for its stack`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    _ = try read(nested(128))
    #expect(throws: JSONReader.Mistake.self) { try read(nested(129)) }
    #expect(throws: JSONReader.Mistake.self) { try read(nested(1_000_000)) }
  }
}
