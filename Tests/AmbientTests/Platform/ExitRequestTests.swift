// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import TestSupport
  import Testing

  @testable import Ambient

  @Suite struct `Exit requests` {
    @Test func `ExitRequest isOwn is false in a child process forked after the request was made`()
      async
    {
      await #expect(processExitsWith: .success) {
        let request = ExitRequest()
        #expect(request.isOwn == false)
        request.make()
        #expect(request.isOwn == true)
        let end = statusOfFork {
          if request.isOwn { return 1 }
          request.make()
          return request.isOwn ? 0 : 2
        }
        #expect(end == 0)
        #expect(request.isOwn == true)
      }
    }
  }
#endif
