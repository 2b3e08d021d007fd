// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientVirtualTime

/// Jobs of these tasks.
private func jobs(_ tasks: [UInt32]) -> [VirtualJob] {
  tasks.map { task in
    // Valid: a job is one pointer, which nothing here follows.
    var job = VirtualJob(job: unsafeBitCast(UInt(8), to: UnownedJob.self), place: .scope)
    job.number = task
    return job
  }
}

/// Choices among jobs that are never run.
@Suite struct `Numbered schedule policies` {
  /// The tasks that so many choices among these jobs choose, where the chosen task runs next.
  private func choices(_ number: Int, of tasks: [UInt32], _ count: Int) -> [UInt32] {
    var policy = NumberedPolicy(number, length: count)
    var running = tasks[0]
    return (0..<count).map { step in
      running = tasks[policy.choose(from: jobs(tasks), 0, running: running, step: step, tasks: 4)]
      return running
    }
  }

  private func share(_ choices: [UInt32]) -> Double {
    let stays = zip(choices, choices.dropFirst()).count { $0 == $1 }
    return Double(stays) / Double(choices.count)
  }

  @Test
  func `schedule numbers that aren't multiples of four usually let the running task continue`() {
    // Of what is left, one of four choices is the running task, too.
    let shares = [1, 2, 3, 5].map { share(choices($0, of: [1, 2, 3, 4], 4_000)) }
    let expected = [13.0 / 16, 29.0 / 32, 13.0 / 16, 29.0 / 32]
    for (share, expected) in zip(shares, expected) { #expect(abs(share - expected) < 0.03) }
  }

  @Test func `schedule number 20 chooses all ready jobs equally often`() {
    let choices = choices(20, of: [1, 2, 3, 4], 4_000)
    for task in 1...4 as ClosedRange<UInt32> {
      #expect(abs(Double(choices.count { $0 == task }) / 4_000 - 0.25) < 0.03)
    }
  }

  @Test(arguments: [4, 8, 12, 16])
  func `schedule numbers 4, 8, 12 and 16 run tasks by priorities that the schedule assigns`(
    number: Int
  ) {
    // A task runs 100 times in a row, unless one of the d - 1 steps is between.
    let switches = choices(number, of: [1, 2, 3, 4], 1_000)
    let count = zip(switches, switches.dropFirst()).count { $0 != $1 }
    #expect((9...9 + number / 4).contains(count))
  }

  @Test func `a schedule number always gives the same job order, and few numbers share an order`() {
    let orders = (1...100).map { choices($0, of: [1, 2, 3], 50) }
    #expect(orders == (1...100).map { choices($0, of: [1, 2, 3], 50) })
    #expect(Set(orders).count > 90)
  }
}

@Suite struct `Held steps of a schedule` {
  private var tasks = ScheduledTasks()

  init() {
    for task in 1...3 as ClosedRange<UInt64> { _ = tasks.number(of: task, from: 0, or: 0) }
  }

  @Test func `HeldSteps delays a step until the given step has run or no other job is ready`() {
    let (first, second) = (tasks.nextStep(of: 1), tasks.nextStep(of: 2))
    var held = HeldSteps([StepHold(step: first, until: second)])
    let ready = jobs([1, 3, 2])
    #expect(held.choose(from: ready, 0, running: 1, tasks) == 1)
    #expect(held.choose(from: ready, 0, running: 2, tasks) == 2)
    #expect(held.choose(from: jobs([1, 1]), 0, running: 2, tasks) == 0)
    held.noteRun(second)
    #expect(held.choose(from: ready, 0, running: 1, tasks) == 0)
  }

  @Test func `HeldSteps made from a recorded schedule reproduces the schedule's order of tasks`() {
    // The order 1 2 1 3 3 2, where each task has two jobs that are ready at once.
    var (record, ran, ready) = (ScheduleRecord(), tasks, jobs([1, 2, 3]))
    let order: [UInt32] = [1, 2, 1, 3, 3, 2]
    var running: UInt32 = 0
    for task in order {
      let chosen = ready.firstIndex { $0.number == task } ?? 0
      record.note(chosen, of: ready, 0, running: running, ran, places: [])
      ready.append(ready.remove(at: chosen))
      ran.noteRun(of: task)
      running = task
    }
    var (held, again, found) = (HeldSteps(record.complete(ran).holds), tasks, [UInt32]())
    (ready, running) = (jobs([1, 2, 3]), 0)
    for _ in order {
      let chosen = held.choose(from: ready, 0, running: running, again)
      running = ready[chosen].number
      found.append(running)
      held.noteRun(again.nextStep(of: running))
      again.noteRun(of: running)
      ready.append(ready.remove(at: chosen))
    }
    #expect(found == order)
  }
}

@Suite struct `Tasks of a schedule` {
  @Test func `in ScheduledTasks, a task's key doesn't depend on the order in which tasks begin`() {
    /// The keys of two children of each of two tasks.
    func keys(_ births: [(task: UInt64, parent: UInt64)]) -> [UInt64: UInt64] {
      var tasks = ScheduledTasks()
      var keys: [UInt64: UInt64] = [:]
      for (task, parent) in births {
        let number = tasks.number(of: task, from: parent, or: 0)
        keys[task] = tasks.nextStep(of: number).task
      }
      return keys
    }
    let one = keys([(1, 0), (2, 0), (11, 1), (12, 1), (21, 2), (22, 2)])
    let other = keys([(1, 0), (2, 0), (21, 2), (11, 1), (22, 2), (12, 1)])
    #expect(one == other)
    #expect(Set(one.values).count == 6)
  }

  @Test
  func `ScheduledTasks counts a job without a task as part of the task that enqueues the job`() {
    var tasks = ScheduledTasks()
    let first = tasks.number(of: 5, from: 0, or: 0)
    let second = tasks.number(of: 6, from: 5, or: 0)
    #expect([first, second] == [1, 2])
    #expect(tasks.number(of: 0, from: 6, or: first) == second)
    #expect(tasks.number(of: 0, from: 0, or: first) == first)
    #expect(tasks.members[2].parent == first)
  }
}
