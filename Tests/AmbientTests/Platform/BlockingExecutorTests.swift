// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Ambient

@Suite struct `Blocking executor` {
  /// The number of jobs that run, the most that ran at once, and those that have ended.
  private final class Jobs: Sendable {
    private let kept = Guarded((running: 0, most: 0, ended: 0))
    private let end = DispatchSemaphore(value: 0)

    var most: Int { kept.withLock(\.most) }
    var ended: Int { kept.withLock(\.ended) }

    /// Blocks its thread until it is told to end.
    func run() {
      kept.withLock { jobs in
        jobs.running += 1
        jobs.most = max(jobs.most, jobs.running)
      }
      end.wait()
      kept.withLock { jobs in
        jobs.running -= 1
        jobs.ended += 1
      }
    }

    func stop(_ count: Int) { for _ in 0..<count { end.signal() } }
  }

  @Test(arguments: [1, 2, 3, 9, 66])
  func `if all jobs block, BlockingExecutor runs each of them on a thread of its own`(count: Int)
    async
  {
    let (threads, jobs) = (BlockingExecutor(), Jobs())
    for _ in 0..<count { Task.detached(executorPreference: threads) { jobs.run() } }
    #expect(await Patience.waitIdly { jobs.most == count })
    jobs.stop(count)
    #expect(await Patience.waitIdly { jobs.ended == count })
  }

  @Test func `BlockingExecutor runs a hundred jobs, each started after the previous one ended`()
    async
  {
    let (threads, ran) = (BlockingExecutor(), Timeline())
    Task {
      for _ in 0..<100 {
        await Task.detached(executorPreference: threads) { ran.note("job") }.value
      }
    }
    #expect(await Patience.waitIdly { ran.lines.count == 100 })
  }
}
