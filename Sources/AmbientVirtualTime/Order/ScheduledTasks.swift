// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The tasks of one schedule, numbered from one in the order in which they are first ready. Zero is
/// the number of jobs that no known task has enqueued.
struct ScheduledTasks {
  struct Member {
    /// The task that made this one ready first: the one that started it, for most tasks.
    let parent: UInt32
    /// The task's place among the children of its parent, and the parent's key, in one number: it
    /// is the same in schedules in which tasks begin in another order.
    ///
    /// An isolated `Task { }` is first seen when it first suspends. Its key may then differ.
    let key: UInt64
    fileprivate var children: UInt64 = 0
    /// The number of its jobs that have run.
    fileprivate var jobs = 0
    fileprivate(set) var name: String?
  }

  /// The numbers by the runtime's numbers of the tasks, which differ from process to process.
  private var numbers: [UInt64: UInt32] = [:]
  /// The numbers that were looked up lately, by the low bits of the runtime's numbers: a look-up in
  /// the dictionary at each job would cost as much as the rest of the order.
  private var latest = [(task: UInt64, number: UInt32)](repeating: (0, 0), count: 256)
  private(set) var members = [Member(parent: 0, key: 0)]

  /// The highest number.
  var last: Int { members.count - 1 }

  /// Returns the number of a task, which gets one if it has none.
  ///
  /// If `task` is zero, returns that of the task `current`. If that is unknown, it counts as the
  /// task with the number `last`.
  mutating func number(of task: UInt64, from current: UInt64, or last: UInt32) -> UInt32 {
    if let known = known(task) { return known }
    let parent = known(current) ?? last
    if task == 0 { return parent }
    members[Int(parent)].children += 1
    let birth = members[Int(parent)]
    var mix = SplitMix64(seed: birth.key ^ birth.children &* 0xFF51_AFD7_ED55_8CCD)
    let number = UInt32(members.count)
    members.append(Member(parent: parent, key: mix.next()))
    numbers[task] = number
    return number
  }

  private mutating func known(_ task: UInt64) -> UInt32? {
    if task == 0 { return nil }
    let place = Int(truncatingIfNeeded: task) & 255
    if latest[place].task == task { return latest[place].number }
    guard let number = numbers[task] else { return nil }
    latest[place] = (task, number)
    return number
  }

  mutating func name(_ task: UInt64, _ name: String) {
    if let number = numbers[task] { members[Int(number)].name = name }
  }

  /// The step that the task's next job is.
  func nextStep(of number: UInt32) -> TaskStep {
    TaskStep(task: members[Int(number)].key, job: members[Int(number)].jobs + 1)
  }

  mutating func noteRun(of number: UInt32) { members[Int(number)].jobs += 1 }
}
