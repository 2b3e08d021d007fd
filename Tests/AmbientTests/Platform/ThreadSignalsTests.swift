// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient

  @Suite struct `Signals in Ambient's threads` {
    /// Which of these signals the calling thread blocks.
    private static func blocked(_ signals: [CInt]) -> [Bool] {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return signals.map { sigismember(&mask, $0) == 1 }
    }

    @Test func `a thread that Ambient starts blocks all signals except faults and SIGPROF`() {
      let signals = [
        SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGPROF, SIGTERM, SIGINT, SIGUSR1,
      ]
      let before = Self.blocked(signals)
      let found = Guarded<[Bool]>([])
      #expect(
        SystemThread.startIfPossible {
          let blocked = Self.blocked(signals)
          found.withLock { $0 = blocked }
        })
      #expect(Patience.wait { found.withLock { !$0.isEmpty } })
      #expect(found.withLock { $0 } == [Bool](repeating: false, count: 7) + [true, true, true])
      #expect(Self.blocked(signals) == before)
    }
  }
#endif
