// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `System error messages` {
  @Test(arguments: [
    ("Could not connect to server", "Could not connect to server"),
    ("in\r\n two  lines\t", "in two lines"), ("", ""),
    (#"no proxy "user:hidden" there"#, "no proxy … there"),
    ("no proxy 'user:hidden' there", "no proxy … there"),
    ("no proxy 'user: hidden' there", "no proxy … there"),
    ("no 'http://u:it's HIDDEN@p' there", "no …"),
    ("no proxy http://hidden there", "no proxy …"), ("no proxy user:hidden@there", "no proxy …"),
    (#"no proxy:"hidden"#, "no …"), (#"no proxy:"hidden and hidden"#, "no …"),
    ("name 'a' does not match 'b.example'", "name … does not match …"),
    ("name 'a b', or \"c d\".", "name … or …"),
    ("in connection to 127.0.0.1:443", "in connection to …"),
    ("couldn't be read, and didn't end", "couldn't be read, and didn't end"),
    ("error:0A000126:SSL routines::eof, errno 0", "error:0A000126:SSL routines::eof, errno 0"),
    (String(repeating: "word ", count: 51) + "w", String(repeating: "word ", count: 51) + "w"),
    (String(repeating: "x", count: 256), String(repeating: "x", count: 256)),
  ])
  func `TransportError.words hides quoted values and cuts a system message before an address`(
    text: String, words: String
  ) {
    #expect(TransportError.words(text) == words)
  }

  @Test func `TransportError.words cuts a system error message after 256 characters`() {
    let text = String(repeating: "word ", count: 60)
    #expect(TransportError.words(text) == text.prefix(256))
  }
}
