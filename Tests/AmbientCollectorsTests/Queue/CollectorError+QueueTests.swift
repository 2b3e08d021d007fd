// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `Queue error codes` {
  @Test(
    arguments: [
      (.inUse(path: "/q", process: 7), .queueInUse), (.missing(path: "/q"), .noQueue),
      (.notAFolder(path: "/q"), .queueUnusable),
      (.notPermitted(path: "/q", reason: "no"), .queueUnusable),
      (.full(path: "/q", bytes: 7, reason: "no"), .queueUnusable),
      (.unsupported(path: "/q", reason: "no"), .queueUnusable),
      (.otherVersion(path: "/q", version: 7), .queueUnusable),
      (.foreign(path: "/q", reason: "no"), .queueUnusable),
      (.unopened(path: "/q", reason: "no"), .queueUnusable),
    ] as [(JournalError, CollectorError.Code)])
  func `a CollectorError made from a JournalError keeps the text and gets a matching code`(
    error: JournalError, code: CollectorError.Code
  ) {
    #expect(CollectorError.queue(error).code == code)
    #expect(CollectorError.queue(error).description == error.description)
  }

  @Test func `CollectorErrors for a queue in use and an unwritable folder have different codes`() {
    #expect(CollectorError.queueTaken(folder: "/q").code == .queueInUse)
    #expect(CollectorError.clientID(path: "/q/client-id").code == .queueUnusable)
  }
}
