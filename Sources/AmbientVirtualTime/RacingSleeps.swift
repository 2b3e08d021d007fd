// SPDX-License-Identifier: Apache-2.0

/// The sleeps of `Task.sleep` that ended at the present instant in child tasks. Each of them may be
/// the limit that a library sets to the other children of the same task.
struct RacingSleeps {
  private var instant = Duration.zero
  /// The sleepers, by the number of the task that awaits the child.
  private var sleepers: [UInt64: VirtualTime.Sleeper] = [:]

  /// Records that a sleep has ended. `parent` is zero if the task that slept isn't a child.
  mutating func note(_ sleeper: VirtualTime.Sleeper, parent: UInt64) {
    guard parent != 0 else { return }
    if instant != sleeper.deadline {
      instant = sleeper.deadline
      sleepers.removeAll(keepingCapacity: true)
    }
    sleepers[parent] = sleeper
  }

  /// A sleep that ended at `now` in a sibling of the job's task, or of a task that awaits it.
  func sleep(beside job: VirtualJob, at now: Duration) -> VirtualTime.Sleeper? {
    guard now == instant, !sleepers.isEmpty else { return nil }
    return job.parents.lazy.compactMap { sleepers[$0] }.first
  }
}
