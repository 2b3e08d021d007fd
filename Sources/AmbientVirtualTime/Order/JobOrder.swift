// SPDX-License-Identifier: Apache-2.0

internal import CVirtualTime

/// The order of jobs in one schedule of an explored scope.
///
/// Nothing is drawn if only one job is ready, so that a change of the program where one task runs
/// alone does not change the order elsewhere.
struct JobOrder {
  /// One of these two chooses.
  private var numbered: NumberedPolicy?
  private var held: HeldSteps?
  private var tasks = ScheduledTasks()
  /// The task of the latest job.
  private var running: UInt32 = 0
  private var sequence: [UInt32] = []
  private var record: ScheduleRecord?
  /// Whether jobs run in the order in which they come, and nothing is recorded any more.
  private var isOver = false

  init(_ run: ScheduleRun) {
    switch run.schedule {
    case .numbered(let number, let length):
      numbered = NumberedPolicy(number, length: length)
    case .held(let holds): held = HeldSteps(holds)
    }
    record = run.isRecorded ? ScheduleRecord() : nil
  }

  /// Returns the number of the task to which the job belongs. Call it when the job is enqueued.
  ///
  /// A job that belongs to no task, an actor's or one of `Task.yield`, counts as one of the task
  /// that enqueues it. If a job without a task enqueues it, it counts as one of that job's task.
  mutating func task(of job: VirtualJob) -> UInt32 {
    let last = ambient_scope_load() == nil ? 0 : running
    return tasks.number(of: job.task, from: ambient_current_task(), or: last)
  }

  /// Names a task, for a report.
  mutating func name(_ task: UInt64, _ name: String) { tasks.name(task, name) }

  /// Chooses the next of the jobs from the index `head` on, of which there is at least one, and
  /// returns its index.
  mutating func choose(from jobs: [VirtualJob], _ head: Int) -> Int {
    if isOver { return head }
    var chosen = head
    if jobs.count - head > 1 {
      let step = sequence.count
      chosen =
        numbered?.choose(from: jobs, head, running: running, step: step, tasks: tasks.last)
        ?? held?.choose(from: jobs, head, running: running, tasks) ?? head
    }
    let task = jobs[chosen].number
    record?.note(
      chosen, of: jobs, head, running: running, tasks, places: jobs[chosen].places)
    if held != nil || record != nil {
      held?.noteRun(tasks.nextStep(of: task))
      tasks.noteRun(of: task)
    }
    sequence.append(task)
    running = task
    return chosen
  }

  /// Lets jobs run in the order in which they come, without a record.
  mutating func end() { isOver = true }

  /// The tasks of the jobs that ran until `end`, and their record.
  var trace: (sequence: [UInt32], record: ScheduleRecord?) {
    (sequence, record.map { $0.complete(tasks) })
  }
}
