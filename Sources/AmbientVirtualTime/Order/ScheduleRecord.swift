// SPDX-License-Identifier: Apache-2.0

internal import CVirtualTime

/// The data of a schedule's report, and the holds from which its shrinking begins.
package struct ScheduleRecord: Sendable {
  /// Successive jobs of one task.
  struct Stretch: Sendable {
    let task: UInt32
    /// Whether the task that ran before could have continued.
    let isSwitch: Bool
    /// For each job of a task, the addresses of the function that resumes, and of its callers.
    fileprivate(set) var places: [[UInt]] = []
  }

  /// A task that ran: its name, if one is known, and the number of the task that started it.
  struct Member: Sendable {
    let name: String?
    let parent: UInt32
  }

  private(set) var stretches: [Stretch] = []
  /// The tasks by their numbers.
  private(set) var members: [Member] = []
  /// The holds that turn the schedule “the running task continues” into this one, in the order in
  /// which they end.
  private(set) var holds: [StepHold] = []
  /// The steps that are held back now, in the order of their beginning.
  private var held: [TaskStep] = []
  private var last: TaskStep?

  /// The number of times that a task was interrupted although it could have continued.
  var switches: Int { stretches.count { $0.isSwitch } }

  /// Records that the job at `chosen` runs next, at these places.
  mutating func note(
    _ chosen: Int, of jobs: [VirtualJob], _ head: Int, running: UInt32, _ tasks: ScheduledTasks,
    places: [UInt]
  ) {
    let (task, step) = (jobs[chosen].number, tasks.nextStep(of: jobs[chosen].number))
    while let preferred = preferred(of: jobs, head, running: running, tasks), preferred != step {
      held.append(preferred)
    }
    if let index = held.firstIndex(of: step) {
      held.remove(at: index)
      holds.append(StepHold(step: step, until: last))
    }
    last = step
    if stretches.last?.task != task {
      let isSwitch = jobs.latest(of: running, from: head) != nil
      stretches.append(Stretch(task: task, isSwitch: isSwitch && !stretches.isEmpty))
    }
    if !places.isEmpty { stretches[stretches.count - 1].places.append(places) }
  }

  /// The step that would be next if the running task continued, and the steps in `held` were held.
  private func preferred(
    of jobs: [VirtualJob], _ head: Int, running: UInt32, _ tasks: ScheduledTasks
  ) -> TaskStep? {
    if jobs.latest(of: running, from: head) != nil,
      case let step = tasks.nextStep(of: running), !held.contains(step)
    {
      return step
    }
    return jobs[head...].lazy.map { tasks.nextStep(of: $0.number) }.first { !held.contains($0) }
  }

  /// The record with the tasks, and with the steps that are held to the end.
  func complete(_ tasks: ScheduledTasks) -> ScheduleRecord {
    var record = self
    record.members = tasks.members.map { Member(name: $0.name, parent: $0.parent) }
    record.holds += held.map { StepHold(step: $0, until: nil) }
    record.held = []
    return record
  }
}

extension VirtualJob {
  /// The addresses of the function in which the job's task resumes, and of its awaiting callers.
  var places: [UInt] {
    // In a debug build, ten frames of a sleep may precede the function that sleeps.
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 32) { places in
      // Valid: the job has not run, at most `count` addresses are written, and only these are read.
      let count = ambient_job_places(
        unsafeBitCast(job, to: UnsafeMutableRawPointer.self), places.baseAddress, places.count)
      return Array(places.prefix(count))
    }
  }
}
