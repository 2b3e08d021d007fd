// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

/// The words of the lines, sorted.
private func words(_ lines: String...) -> [String] {
  EventWords.of(lines.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }.sorted()
}

@Suite struct `EventWords extraction` {
  // In a process of its own: a read beyond a line traps, and one without end hangs.
  @Test func `EventWords contains words of an event's values, but not of its names, ID or time`()
    async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      #expect(words() == [])
      #expect(words("", "{}") == [])
      #expect(
        words(
          """
          {"id":"aaa","time":"2026","event":"buy it","user":{"id":"ada-77","traits":{"plan":"pro"}},\
          "properties":{"card":4111,"note":"to Ann","list":["one",222,{"deep":"inner"}]}}
          """) == ["222", "4111", "Ann", "ada", "inner", "one", "pro"])
      // What comes after an object is no member of it.
      #expect(
        words(#"{"properties":{"a":{"b":"deep"}},"event":"shown","metadata":{"c":"hidden"}}"#)
          == ["deep", "hidden"])
      #expect(
        words(
          #"{"id":"aaa","time":"bbb","level":"ccc","source":"ddd","function":"eee","#
            + #""message":"fff"}"#) == ["fff"])
      // The names that show are those of the line itself.
      #expect(words(#"{"user":{"id":"inner","event":"name"}}"#) == ["inner", "name"])
      #expect(words(#"{"a":"first"}"#, #"{"a":"second"}"#) == ["first", "second"])
    }
  }

  @Test func `EventWords leaves out JSON escapes and reads a truncated JSON line to its end`() async
  {
    await #expect(processExitsWith: .success) {
      endIfHanging()
      #expect(words(#"{"a":"line\nbreak"}"#) == ["break", "line"])
      #expect(words(#"{"a":"x\\Neill \\\\user \\\nnext"}"#) == ["Neill", "next", "user"])
      #expect(words(#"{"a":"say \"hello\" twice"}"#) == ["hello", "say", "twice"])
      #expect(words(#"{"a":"\u202eabcdef"}"#) == ["abcdef"])
      #expect(words(#"{"a":"abcd"#) == ["abcd"])
      #expect(words(#"{"a":1234"#) == ["1234"])
      #expect(words(#"{"a":-12.345}"#) == ["345"])
      #expect(words(#"{"a":"#) == [])
      #expect(words(#"{"a""#) == [])
    }
  }
}
