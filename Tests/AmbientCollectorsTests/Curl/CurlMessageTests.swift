// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import AmbientCollectors

@Suite struct `libcurl messages` {
  @Test func `messages about libcurl's failures equal those in messages.txt`() throws {
    func reason(
      _ code: CInt, words: String = "", proxyStatus: Int = 0, systemError: CInt = 0,
      hasSent: Bool = true, hasBegun: Bool = false
    ) -> String {
      CurlFailure(
        code: code, words: words, proxyStatus: proxyStatus, systemError: Int(systemError),
        hasSent: hasSent, hasBegun: hasBegun
      ).reason?.text ?? "none"
    }
    try MessageCatalog.expect(
      "Collectors, libcurl",
      [
        "An address that cannot be used": reason(3),
        "An unknown proxy": reason(5),
        "An unknown host": reason(6),
        "A refused connection": reason(7, systemError: ECONNREFUSED),
        "A process without a free descriptor": reason(7, systemError: EMFILE),
        "A system without a free descriptor": reason(7, systemError: ENFILE),
        "A server that cannot be reached": reason(7),
        "A protocol that is not supported": reason(1, hasSent: false),
        "A header without end": reason(100),
        "No memory": reason(27, hasSent: false),
        "A late answer": reason(28),
        "A client certificate that cannot be used": reason(58),
        "Certificates that cannot be read": reason(77),
        "No answer": reason(52),
        "A proxy that answers": reason(56, proxyStatus: 407),
        "A proxy that cannot be used": reason(97),
        "A malformed answer": reason(56, words: "Malformed encoding", hasBegun: true),
      ])
  }
}
