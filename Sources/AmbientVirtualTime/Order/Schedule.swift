// SPDX-License-Identifier: Apache-2.0

/// The rule by which a scope of virtual time chooses the next of several ready jobs.
package enum Schedule: Hashable, Sendable {
  /// The schedule of a number from one on. With the number of jobs of the run first in, first out
  /// (`length`), the number alone decides each choice.
  case numbered(Int, length: Int)
  /// The running task continues, and the oldest job is next if it cannot, except that these steps
  /// are held back.
  case held([StepHold])
}

/// One step of a task in a schedule: its `job`th job, from one on.
package struct TaskStep: Hashable, Sendable {
  /// The task's key, which depends on the task's place among those that started it, and not on the
  /// order in which tasks run (see `ScheduledTasks`).
  let task: UInt64
  let job: Int
}

/// A step of a task that is held back until another step has run, or until nothing else can run.
package struct StepHold: Hashable, Sendable {
  let step: TaskStep
  /// The step that ends the hold; nil if the hold lasts until nothing else can run.
  let until: TaskStep?
}

/// The way in which a scope of virtual time runs one schedule of an explored body.
package struct ScheduleRun: Sendable {
  let schedule: Schedule
  /// Whether suspended tasks are a deadlock at once, and the limit of a timeout needs no patience.
  let believes: Bool
  /// The number of jobs after which the run is given up.
  let mostJobs: UInt64
  /// Whether the run records what a report shows, and how to shrink its schedule.
  let isRecorded: Bool
}

/// The outcome of a run, apart from what the body returned.
package struct ScheduleTrace: Sendable {
  /// The number of jobs that have run.
  package let jobs: UInt64
  /// The tasks of the jobs that have run, until the scope was given up. The number of a task is its
  /// place among the tasks in the order in which they were first ready; zero means no known task.
  package let sequence: [UInt32]
  /// Whether the run has believed that its tasks wait for nothing outside the scope.
  let hasBelieved: Bool
  /// Whether the run was given up because of its many jobs.
  package let isCutOff: Bool
  /// Whether the scope stalled.
  let hasStalled: Bool
  /// Nil if the run was not recorded.
  let record: ScheduleRecord?
}
