// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Escaped text` {
  @Test(arguments: [
    ("", ""), ("a \"b\" \\", "a \"b\" \\"), ("a\nb\t\u{1B}", "a\\nb\\t\\u001b"), ("é", "é"),
  ])
  func `escaping a text replaces control characters, so that the text stays on one line`(
    text: String, shown: String
  ) {
    #expect(text.escaped == shown)
  }

  @Test(arguments: [
    ("", 0, ""), ("a", 0, "…"), ("abc", 3, "abc"), ("abcd", 3, "abc…"), ("äöü", 2, "äö…"),
  ])
  func `a text with too many characters is shortened and gets an ellipsis`(
    text: String, longest: Int, shown: String
  ) {
    #expect(text.shortened(to: longest) == shown)
  }
}
