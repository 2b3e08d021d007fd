// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// Chooses jobs by a schedule's number. Three of four numbers are sticky: the running task
/// continues with a probability of 3/4 or 7/8. Of the others, one in five chooses uniformly, the
/// rest by priorities.
struct NumberedPolicy {
  private enum Kind {
    /// The running task continues with this number of eighths.
    case sticky(UInt64)
    case uniform
    case priorities
  }

  private let kind: Kind
  private var random: SplitMix64
  private var priorities = TaskPriorities()

  /// - Parameters:
  ///   - number: The number of the schedule, from one on.
  ///   - length: The number of jobs of the run first in, first out.
  init(_ number: Int, length: Int) {
    random = SplitMix64(seed: UInt64(number))
    let turn = number / 4
    if !number.isMultiple(of: 4) {
      kind = .sticky((number - turn).isMultiple(of: 2) ? 7 : 6)
    } else if turn.isMultiple(of: 5) {
      kind = .uniform
    } else {
      kind = .priorities
      // The depth d of the bugs that are sought is 2 to 5, and d - 1 steps lower a priority.
      let steps = (0..<turn % 5).map { _ in Int(random.next(below: UInt64(max(length, 1)))) }
      priorities = TaskPriorities(lowered: steps, seed: random.next())
    }
  }

  /// Returns the index of the next of several jobs.
  ///
  /// - Parameters:
  ///   - step: The number of jobs that have run.
  ///   - tasks: The highest number of a task.
  mutating func choose(
    from jobs: [VirtualJob], _ head: Int, running: UInt32, step: Int, tasks: Int
  ) -> Int {
    switch kind {
    case .priorities:
      return priorities.choose(from: jobs, head, running: running, step: step, tasks: tasks)
    case .sticky(let eighths):
      if random.next(below: 8) < eighths, let next = jobs.latest(of: running, from: head) {
        return next
      }
    case .uniform: break
    }
    return head + Int(random.next(below: UInt64(jobs.count - head)))
  }
}

extension SplitMix64 {
  /// A number below `bound`. It is not exactly uniform: the difference is below 2⁻³² here.
  fileprivate mutating func next(below bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }
}

extension [VirtualJob] {
  /// The index of the task's latest job, from `head` on.
  func latest(of task: UInt32, from head: Int) -> Int? {
    var index = count
    while index > head {
      index -= 1
      if self[index].number == task { return index }
    }
    return nil
  }
}
