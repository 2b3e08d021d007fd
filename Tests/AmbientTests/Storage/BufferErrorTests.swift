// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `Buffer errors` {
  @Test(
    arguments: [
      (.unreadable(path: "/b", reason: "it burns"), "cannot read the buffers at “/b”: it burns"),
      (
        .damaged(path: "/b", reason: "it burns"),
        """
        the buffer “/b” is damaged: it burns; lines may be missing from the log. Where it can be \
        renamed, they are in the file of that name with “.damaged” at its end; the last 4 of \
        these are kept
        """
      ),
      (
        .foreign(path: "/b"),
        """
        the buffer “/b” belongs to another user, has another name, too, or is no file; it was left where it \
        is: open the log as its user, or remove it
        """
      ),
      (
        .unwritten(path: "/b", file: "/shop.log", reason: "it burns"),
        "cannot bring the lines of “/b” to “/shop.log”: it burns; they stay where they are"
      ),
    ] as [(BufferError, String)])
  func `a BufferError describes its path, reason and advice`(error: BufferError, text: String) {
    #expect(error.description == text)
  }
}
