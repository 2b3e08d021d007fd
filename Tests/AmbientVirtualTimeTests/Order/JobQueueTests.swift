// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientVirtualTime

struct `Job queue` {
  private var queue = JobQueue()

  /// Jobs that are never run.
  private mutating func append(_ count: Int) {
    for _ in 0..<count {
      // Valid: a job is one pointer, which nothing here follows.
      queue.append(VirtualJob(job: unsafeBitCast(UInt(8), to: UnownedJob.self), place: .scope))
    }
  }

  private mutating func take(_ count: Int) { for _ in 0..<count { _ = queue.popNext() } }

  private mutating func append(_ numbers: ClosedRange<UInt>) {
    for number in numbers {
      // Valid for the same reason.
      queue.append(VirtualJob(job: unsafeBitCast(number * 8, to: UnownedJob.self), place: .scope))
    }
  }

  /// The numbers of so many jobs, or of as many as there are.
  private mutating func order(_ count: Int) -> [UInt] {
    // Valid: a job is a pointer, which `append` made from a number.
    (0..<count).compactMap { _ in queue.popNext().map { unsafeBitCast($0.job, to: UInt.self) / 8 } }
  }

  @Test mutating func `JobQueue returns jobs first in, first out`() {
    #expect(queue.isEmpty)
    append(1...3)
    #expect(order(2) == [1, 2])
    append(4...5)
    #expect(order(4) == [3, 4, 5])
    #expect(queue.isEmpty)
    // So many that their room is given up in between.
    append(6...20_005)
    #expect(order(15_000) == Array(6...15_005))
    append(20_006...20_010)
    #expect(order(5_006) == Array(15_006...20_010))
    #expect(queue.taken == 20_010)
    append(1...1)
    #expect(order(2) == [1])
  }

  @Test
  mutating func `a JobQueue round ends when all jobs queued at the round's start are taken`() {
    append(3)
    take(1)
    // The first round had no more than the one that was there to be taken.
    #expect(queue.rounds == 1)
    take(1)
    append(5)
    #expect(queue.rounds == 1)
    take(1)
    #expect(queue.rounds == 2)
    take(4)
    #expect(queue.rounds == 2)
    take(1)
    #expect(queue.rounds == 3)
    #expect(queue.isEmpty)
    #expect(queue.taken == 8)
  }

  @Test
  mutating func `if a JobQueue has only one recurring job, taking the job ends a round each time`()
  {
    for round in 1...10_000 {
      append(1)
      take(1)
      #expect(queue.rounds == UInt64(round))
    }
    #expect(queue.popNext() == nil)
    #expect(queue.rounds == 10_000)
  }
}

struct `Job rounds` {
  private var rounds = Rounds()
  private var stack: [UInt16] = []

  private mutating func append(_ count: Int) {
    for _ in 0..<count { stack.append(rounds.stamp) }
  }

  /// The last one first.
  private mutating func take(_ count: Int) {
    for _ in 0..<count { rounds.noteTaken(stack.removeLast(), left: stack.count) }
  }

  @Test
  mutating func
    `Rounds counts a round when all jobs of the round are taken, even last in, first out`()
  {
    append(3)
    take(1)
    #expect(rounds.over == 1)
    // One that comes again and again before those that stood there.
    for _ in 0..<1_000 {
      append(1)
      take(1)
    }
    #expect(rounds.over == 1)
    take(1)
    #expect(rounds.over == 1)
    append(2)
    take(2)
    #expect(rounds.over == 1)
    take(1)
    #expect(rounds.over == 2)
    append(1)
    take(1)
    #expect(rounds.over == 3)
  }
}
