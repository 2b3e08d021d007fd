import AmbientCollectors
import Testing

@Suite struct `The system's words about an error` {
  @Test(arguments: [
    ("Could not connect to server", "Could not connect to server"),
    ("in\r\n two  lines\t", "in two lines"), ("", ""),
    (#"no proxy "user:hidden" there"#, "no proxy …"),
    ("no proxy 'user:hidden' there", "no proxy …"),
    ("no proxy http://hidden there", "no proxy …"), ("no proxy user:hidden@there", "no proxy …"),
    (#"no proxy:"hidden"#, "no …"),
    (String(repeating: "word ", count: 24) + "w", String(repeating: "word ", count: 24)),
    (String(repeating: "x", count: 120), String(repeating: "x", count: 120)),
  ])
  func `end where they may quote an address`(text: String, words: String) {
    #expect(TransportError.words(text) == words)
  }

  @Test func `are 120 characters at most`() {
    let text = String(repeating: "word ", count: 50)
    #expect(TransportError.words(text) == text.prefix(120))
  }
}
