// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import TestSupport

/// Answers that Foundation survives, too, with the outcome of each.
enum SurvivedAnswers {
  static let all: [(String, [LoopbackServer.Step], String)] = [
    (
      "a body of known length", [bytes("HTTP/1.1 200 So\r\nContent-Length: 4\r\n\r\nbody")],
      "200 body"
    ),
    (
      "chunks",
      [bytes("HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n")],
      "200 body"
    ),
    ("a body up to the end", [bytes("HTTP/1.1 200 So\r\n\r\nbody"), .close], "200 body"),
    ("no body", [bytes("HTTP/1.1 204 So\r\n\r\n")], "204 "),
    ("early hints", [bytes("HTTP/1.1 103 So\r\nLink: <x>\r\n\r\nHTTP/1.1 204 So\r\n\r\n")], "204 "),
    ("nothing", [.close], "unknown: \(TransportError.unanswered)"),
  ]
}
