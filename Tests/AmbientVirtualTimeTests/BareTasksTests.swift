// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientVirtualTime

/// Which scope takes a job, for a scope that runs none.
@Suite struct `Bare task ownership` {
  private let parked = ParkedJobs()

  private func scheduler() -> VirtualScheduler {
    let scheduler = VirtualScheduler(
      origin: SteppedScope.start, .byItself, limit: .seconds(10), patience: .seconds(10))
    // A turn that nothing ends, so no thread runs its jobs.
    scheduler.withState { $0.takeTurn(1, number: 7) }
    return scheduler
  }

  /// Whether a scope takes the job, offered by a thread that runs jobs of `scheduler`, or of none.
  private func takes(_ job: UnownedJob, in scheduler: VirtualScheduler? = nil) -> Bool {
    let turn = scheduler.map(VirtualTurn.init(of:))
    defer { turn?.end() }
    return BareTasks.take(forMainActor: job)
  }

  @Test func `a bare Task belongs to the virtual time scope that starts it until the scope ends`()
    async throws
  {
    let (scheduler, other) = (scheduler(), scheduler())
    let (older, body, bare, second) = (parked.park(), parked.park(), parked.park(), parked.park())
    defer { parked.run() }
    let mark = JobOrigin.start(0).begin()
    _ = scheduler.put(VirtualJob(job: body, place: .scope), isBare: false)
    mark.end()
    #expect(!takes(bare))
    #expect(!takes(older, in: scheduler))
    #expect(takes(bare, in: scheduler))
    #expect(takes(bare, in: scheduler))
    #expect(takes(bare, in: other))
    #expect(takes(bare))
    #expect(!takes(second))
    #expect(takes(second, in: scheduler))
    try await end(scheduler)
    for job in [bare, second] {
      #expect(!takes(job))
      #expect(!takes(job, in: scheduler))
    }
    #expect(takes(bare, in: other))
    BareTasks.release([VirtualJob(job: bare, place: .pool).task], of: scheduler)
    #expect(takes(bare))
    BareTasks.release([VirtualJob(job: bare, place: .pool).task], of: other)
    #expect(!takes(bare))
  }

  /// Ends the scope, as its steps would.
  private func end(_ scheduler: VirtualScheduler) async throws {
    try await Waits.with { waits in
      scheduler.withState { $0.awaitEnd(waits.end) }
      for _ in 0..<100 where !scheduler.withState({ $0.hasEnded }) {
        // A step is not Sendable, so none is handed out.
        scheduler.withState { state in _ = state.next() }
      }
    }
  }

  @Test func `BareTasks assigns a job without a task to the scope whose jobs the thread runs`()
    throws
  {
    // Valid: of such a job, an actor's, only the kind in its fifth word is read.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
    memory.storeBytes(of: 192, toByteOffset: 32, as: UInt32.self)
    defer { memory.deallocate() }
    let job = unsafeBitCast(memory, to: UnownedJob.self)
    #expect(VirtualJob(job: job, place: .pool).task == 0)
    #expect(!VirtualJob(job: job, place: .pool).isCancelled)
    #expect(!takes(job))
    let scheduler = scheduler()
    #expect(takes(job, in: scheduler))
    #expect(!takes(job))
  }

  @Test
  func `when a nested VirtualTurn ends, the outer VirtualTurn is current on the thread again`() {
    let (scheduler, other) = (scheduler(), scheduler())
    #expect(VirtualTurn.current == nil)
    let turn = VirtualTurn(of: scheduler)
    let inner = VirtualTurn(of: other)
    let seen = [VirtualTurn.isOf(scheduler), VirtualTurn.isOf(other)]
    let suspended = VirtualTurn.suspended { VirtualTurn.current == nil }
    let isBack = VirtualTurn.current === other
    inner.end()
    let isOuter = VirtualTurn.current === scheduler && VirtualTurn.isOf(scheduler)
    turn.end()
    #expect(seen == [false, true])
    #expect(suspended && isBack && isOuter)
    #expect(VirtualTurn.current == nil)
  }
}
