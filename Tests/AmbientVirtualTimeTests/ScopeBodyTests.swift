// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientVirtualTime

@Suite struct `Scope body` {
  private var body = ScopeBody()

  @Test
  mutating func `ScopeBody isSeenToWait is false only for a body that is awake outside the scope`()
  {
    #expect(body.isSeenToWait && !body.isForeign)
    body.noteSeen(isInTurn: false)
    #expect(!body.isSeenToWait && body.isForeign)
    body.beginSleep()
    #expect(body.isSeenToWait && body.isForeign)
    body.endSleep()
    #expect(!body.isSeenToWait)
    body.noteSeen(isInTurn: true)
    body.beginSleep()
    #expect(body.isSeenToWait)
  }

  @Test
  mutating func `ScopeBody noteJob() clears isForeign, except during a wait outside the scope`() {
    var waits = [body.beginWait()]
    body.noteSeen(isInTurn: false)
    body.noteJob()
    #expect(!body.isForeign)
    body.noteSeen(isInTurn: false)
    waits.append(body.beginWait())
    body.noteJob()
    #expect(body.isForeign)
    body.endForeignWait()
    body.noteJob()
    #expect(!body.isForeign)
    #expect(waits == [false, true])
  }

  @Test func `a ScopeBody's opener waits only until the body ends and is resumed only once`()
    async throws
  {
    try await Waits.with { waits in
      let opener = ScopeBody.Opener(awaiter: waits.opener, cancel: {}, mayLeave: true)
      var (body, early) = (ScopeBody(), ScopeBody())
      #expect(!body.hasEnded)
      var mustWait = [body.store(opener)]
      #expect(body.opener != nil)
      let awaiters = [body.end(), body.end(), early.end()].map { $0 != nil }
      mustWait += [body.store(opener), early.store(opener)]
      #expect(body.hasEnded && body.opener == nil && early.opener == nil)
      #expect(mustWait == [true, false, false])
      #expect(awaiters == [true, false, false])
    }
  }
}
