// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `Header field rules` {
  @Test(arguments: [
    ("X", ""), ("X", " "), ("X", "a\tb"), ("X", " !~"), ("X", "é"), ("X", "\u{80}"),
    ("a-z.A_Z09", "x"), ("!#$%&'*+-.^_`|~", "x"), ("connections", "x"),
  ])
  func `HeaderFieldRules accepts a valid header field`(name: String, value: String) {
    #expect(HeaderFieldRules.fault(name, value) == nil)
    #expect(HeaderFieldRules.token(name) == name)
  }

  @Test(arguments: ["\u{0}", "a\u{8}", "\n", "\u{B}", "a\rb", "\u{1F}", "a\u{7F}"])
  func `a header field value with a control character other than tab is refused`(value: String) {
    #expect(HeaderFieldRules.fault("X", value) != nil)
  }

  @Test(arguments: [
    ("", ""), (" X", ""), ("X ", "X"), ("X:", "X"), ("a b", "a"), ("é", ""), ("X\u{301}", "X"),
  ])
  func `a header field name that isn't an HTTP token is refused`(name: String, token: String) {
    #expect(HeaderFieldRules.fault(name, "x") != nil)
    #expect(HeaderFieldRules.token(name).unicodeScalars.elementsEqual(token.unicodeScalars))
  }

  @Test(arguments: ["Connection", "content-length", "EXPECT", "Host", "Keep-Alive", "TE"])
  func `a header field that the connection itself sets, such as Host, is refused`(name: String) {
    #expect(HeaderFieldRules.fault(name, "x") != nil)
  }
}
