// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Testing

@Suite struct `The error of a queue that cannot be used` {
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
  func `has the journal's text and a code of its own`(
    error: JournalError, code: CollectorError.Code
  ) {
    #expect(CollectorError.queue(error).code == code)
    #expect(CollectorError.queue(error).description == error.description)
  }

  @Test func `has a code that tells another collector from a folder that cannot be written`() {
    #expect(CollectorError.queueTaken(folder: "/q").code == .queueInUse)
    #expect(CollectorError.clientID(path: "/q/client-id").code == .queueUnusable)
  }
}
