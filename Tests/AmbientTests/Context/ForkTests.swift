// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Ambient
  import Foundation
  import TestSupport
  import Testing

  @Suite struct `Forked processes with scopes` {
    @Test
    func `a forked child process that opens scopes warns once about locks held at the fork`()
      async throws
    {
      let result = try await #require(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        _ = Time.now
        for isIsolating in [false, true] {
          let child = forkProcess()
          if child == 0 {
            endIfHanging()
            for _ in 1...2 {
              if isIsolating { AmbientScope.isolated {} } else { Time.freeze(at: .distantPast) {} }
            }
            _exit(0)
          }
          Time.freeze(at: .distantPast) {}
          var status: Int32 = 0
          precondition(waitpid(child, &status, 0) == child && status == 0)
        }
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.components(separatedBy: "Ambient: fork: ").count == 3)
    }
  }
#endif
