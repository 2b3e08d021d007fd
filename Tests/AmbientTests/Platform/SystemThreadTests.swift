// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

@Suite struct `System threads` {
  private struct Endless: Error {}

  /// The calls of a wait without time whose condition holds at that call.
  private func calls(tries: Int?, until last: Int) throws -> (calls: Int, isDone: Bool) {
    var calls = 0
    func isDone() throws -> Bool {
      calls += 1
      if calls > 100 { throw Endless() }
      return calls == last
    }
    let result =
      if let tries { try SystemThread.wait(atMost: .zero, tries: tries, until: isDone) } else {
        try SystemThread.wait(atMost: .zero, until: isDone)
      }
    return (calls, result)
  }

  @Test(arguments: [
    (nil, 1, 1, true), (nil, 5, 1, false), (1, 5, 1, false), (3, 1, 1, true), (3, 3, 3, true),
    (3, 4, 3, false), (0, 5, 1, false),
  ])
  func `with a zero time limit, SystemThread wait() makes at most the given number of checks`(
    tries: Int?, last: Int, calls: Int, isDone: Bool
  ) throws {
    let result = try self.calls(tries: tries, until: last)
    #expect(result.calls == calls && result.isDone == isDone)
  }

  @Test func `SystemThread wait() ends when its condition is true or its time limit has passed`()
    throws
  {
    var calls = 0
    let isDone = SystemThread.wait(atMost: .seconds(300)) {
      calls += 1
      return calls == 3
    }
    #expect(isDone && calls == 3)
    let start = SystemClock.monotonic()
    #expect(!SystemThread.wait(atMost: .milliseconds(5)) { false })
    #expect(SystemClock.monotonic() >= start + .milliseconds(5))
    #expect(throws: Endless.self) {
      try SystemThread.wait(atMost: .seconds(300)) { throw Endless() }
    }
  }

  @Test func `SystemThread sleep() takes at least the given time`() {
    let start = SystemClock.monotonic()
    SystemThread.sleep(.milliseconds(2))
    #expect(SystemClock.monotonic() >= start + .milliseconds(2))
  }

  @Test func `a new SystemThread runs its body once and then releases the body`() {
    final class Held: Sendable {}
    weak var held: Held?
    let threads = Guarded<[UInt]>([])
    do {
      let object = Held()
      held = object
      let isStarted = SystemThread.startIfPossible {
        withExtendedLifetime(object) { threads.withLock { $0.append(SystemThread.current) } }
      }
      #expect(isStarted)
    }
    #expect(Patience.wait { held == nil })
    #expect(threads.withLock { $0.count } == 1)
    #expect(threads.withLock { $0.first } != SystemThread.current)
    #expect(SystemThread.process == Int(getpid()))
  }

  #if os(Linux)
    @Test
    func `if no thread can start, start() runs its body on the calling thread`()
      async
    {
      await #expect(processExitsWith: .success) {
        await ResourceLimit.forbidThreads()
        final class Held: Sendable {}
        weak var held: Held?
        let runs = Guarded(0)
        do {
          let object = Held()
          held = object
          let isStarted = SystemThread.startIfPossible {
            withExtendedLifetime(object) { runs.withLock { $0 += 1 } }
          }
          precondition(!isStarted && runs.withLock { $0 } == 0)
        }
        precondition(held == nil, "it is held")
        SystemThread.start { runs.withLock { $0 += 1 } }
        precondition(runs.withLock { $0 } == 1)
      }
    }
  #endif
}
