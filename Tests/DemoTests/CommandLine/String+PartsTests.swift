// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ambient_demo

@Suite struct `Parts of an argument` {
  @Test(
    arguments: [
      ("a=b=c", ["a", "b=c"]), ("a", ["a"]), ("=", ["", ""]), ("", [""]),
      ("a=\u{301}b", ["a", "\u{301}b"]),
    ] as [(String, [String])])
  func `an argument is split at the first separator, even before a combining mark`(
    text: String, parts: [String]
  ) {
    #expect(
      text.parts(at: "=").map { Array($0.unicodeScalars) } == parts.map { Array($0.unicodeScalars) }
    )
  }

  @Test(
    arguments: [
      ("file:a", "a"), ("file:", nil), ("fil", nil), ("File:a", nil), ("file:\u{301}", "\u{301}"),
    ] as [(String, String?)])
  func `the rest after a prefix is found even if it begins with a combining mark`(
    text: String, rest: String?
  ) {
    #expect(text.rest(after: "file:") == rest)
  }
}
