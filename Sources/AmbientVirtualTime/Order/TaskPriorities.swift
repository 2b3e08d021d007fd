// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// Chooses the job of the task with the highest priority, as in probabilistic concurrency testing
/// (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic
/// guarantees of finding bugs, 2010). Priorities are random. At some random steps, that of the
/// running task falls below all others.
///
/// The priority of a task also falls after 100 jobs in a row, so that a task that yields until
/// another one has done something does not run for ever. It does not fall at each yield: a yield
/// often stands for a wait, and the searched bug would be missed.
struct TaskPriorities {
  /// The steps at which the running task's priority falls, in their order, and to which value.
  private let falls: [(step: Int, priority: Int32)]
  private var fallen = 0
  private let seed: UInt64
  /// The priorities by the tasks' numbers.
  private var priorities: [Int32] = []
  private var lowest: Int32 = 0
  private var inRow = 0
  private var last: UInt32 = 0

  /// - Parameter lowered: The steps at which a priority falls. The first one leads to the lowest.
  init(lowered steps: [Int] = [], seed: UInt64 = 0) {
    falls = steps.enumerated().map { ($1, Int32($0 + 1)) }.sorted { $0.step < $1.step }
    self.seed = seed
  }

  /// Returns the index of the next of several jobs.
  ///
  /// - Parameters:
  ///   - step: The number of jobs that have run.
  ///   - tasks: The highest number of a task.
  mutating func choose(
    from jobs: [VirtualJob], _ head: Int, running: UInt32, step: Int, tasks: Int
  ) -> Int {
    while fallen < falls.count, falls[fallen].step <= step {
      lower(running, to: falls[fallen].priority)
      fallen += 1
    }
    if inRow >= Self.mostInRow {
      lowest -= 1
      lower(last, to: lowest)
      inRow = 0
    }
    _ = priority(of: UInt32(tasks))
    let priorities = priorities
    var (best, highest) = (head, Int32.min)
    for index in head..<jobs.count {
      let priority = priorities[Int(jobs[index].number)]
      if priority > highest { (best, highest) = (index, priority) }
    }
    inRow = jobs[best].number == last ? inRow + 1 : 1
    last = jobs[best].number
    return best
  }

  private static var mostInRow: Int { 100 }

  private mutating func lower(_ task: UInt32, to priority: Int32) {
    _ = self.priority(of: task)
    priorities[Int(task)] = priority
  }

  /// The task's priority. A task's first one depends on its number alone, so that tasks that begin
  /// later do not change it, and is above those to which priorities fall.
  private mutating func priority(of task: UInt32) -> Int32 {
    while priorities.count <= task {
      var bits = SplitMix64(seed: seed &+ UInt64(priorities.count))
      priorities.append(Int32(16 + bits.next() >> 34))
    }
    return priorities[Int(task)]
  }
}
