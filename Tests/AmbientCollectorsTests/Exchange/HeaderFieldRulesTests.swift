import AmbientCollectors
import Testing

@Suite struct `The rules of a header field` {
  @Test(arguments: [
    ("X", ""), ("X", " "), ("X", "a\tb"), ("X", " !~"), ("X", "é"), ("X", "\u{80}"),
    ("a-z.A_Z09", "x"), ("!#$%&'*+-.^_`|~", "x"), ("connections", "x"),
  ])
  func `let a field be sent`(name: String, value: String) {
    #expect(HeaderFieldRules.fault(name, value) == nil)
    #expect(HeaderFieldRules.token(name) == name)
  }

  @Test(arguments: ["\u{0}", "a\u{8}", "\n", "\u{B}", "a\rb", "\u{1F}", "a\u{7F}"])
  func `allow no control character but the tab`(value: String) {
    #expect(HeaderFieldRules.fault("X", value) != nil)
  }

  @Test(arguments: [
    ("", ""), (" X", ""), ("X ", "X"), ("X:", "X"), ("a b", "a"), ("é", ""), ("X\u{301}", "X"),
  ])
  func `allow no name that is no token`(name: String, token: String) {
    #expect(HeaderFieldRules.fault(name, "x") != nil)
    #expect(HeaderFieldRules.token(name).unicodeScalars.elementsEqual(token.unicodeScalars))
  }

  @Test(arguments: ["Connection", "content-length", "EXPECT", "Host", "Keep-Alive", "TE"])
  func `leave the connection's own fields to it`(name: String) {
    #expect(HeaderFieldRules.fault(name, "x") != nil)
  }
}
