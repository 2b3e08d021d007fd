// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

/// The bytes of a text that has `'` for each quotation mark.
private func bytes(_ text: String) -> ArraySlice<UInt8> {
  ArraySlice(text.replacing("'", with: "\"").utf8)
}

/// The members of the object as `name=value`, with `!` at the end unless the object is whole.
private func members(of text: String) -> String {
  var reader = JSONMemberReader(([0, 0] + bytes(text))[2...])
  var members: [String] = []
  while let member = reader.next() {
    let both = member.name + "=".utf8 + member.value
    members.append(String(decoding: both, as: UTF8.self))
  }
  return members.joined(separator: " ").replacing("\"", with: "'") + (reader.isWhole ? "" : "!")
}

@Suite struct `JSON member reader` {
  // In a process of its own: a read beyond the text traps, and one without end hangs.
  @Test func `JSONMemberReader reads members up to the object's end or the first malformed member`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for (text, expected) in [
        ("{}", ""), ("{'a':1}", "a=1"), ("{'a':1,'b':-2.5e3,'c':true}", "a=1 b=-2.5e3 c=true"),
        ("{'a':'b'}", "a='b'"), ("{'':''}", "=''"), ("{'a':'b,}]','c':1}", "a='b,}]' c=1"),
        (#"{'a\'b':'c\\','d':'\\\''}"#, #"a\'b='c\\' d='\\\''"#),
        (
          "{'a':{'b':[1,{'c':2}],'d':{}},'e':[],'f':[[],']']}",
          "a={'b':[1,{'c':2}],'d':{}} e=[] f=[[],']']"
        ),
        ("", "!"), ("{", "!"), ("{'a'", "!"), ("{'a':", "!"), ("{'a':1", "!"), ("{'a':}", "!"),
        ("{'a':,'b':1}", "!"), ("{'a':'b}", "!"), (#"{'a':'b\"#, "!"), ("{'a':{'b':1}", "!"),
        ("{'a':[1}", "!"), ("{'a'}", "!"), ("{a:1}", "!"), ("{'a'=1}", "!"), ("{'a':1}}", "a=1!"),
        ("{'a':1} ", "a=1!"), ("{'a':1,", "a=1!"), ("{'a':1,'b", "a=1!"), ("{'a':1,b}", "a=1!"),
      ] {
        #expect(members(of: text) == expected, "\(text)")
      }
    }
  }

  @Test func `JSONMemberReader finds the end of a JSON string with escaped quotation marks`() async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      for (text, end) in [
        ("''", 2), ("'a'b", 3), (#"'a\'b'c"#, 6), (#"'a\\'b"#, 5), ("'", nil), ("'a", nil),
        (#"'a\"#, nil), (#"'a\'"#, nil),
      ] as [(String, Int?)] {
        #expect(JSONMemberReader.endOfText(in: bytes(text), at: 0) == end, "\(text)")
      }
    }
  }
}
