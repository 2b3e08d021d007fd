// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// The waiting sleepers, earliest deadline first. Equal deadlines are in the order in which the
/// sleeps began, with timeouts last.
///
/// The queue has a binary heap of deadlines and a dictionary of the sleepers. A cancelled sleeper
/// leaves the dictionary at once. It leaves the heap when its entry comes to the top, or when the
/// heap has more than 64 entries and more than half of them belong to cancelled sleepers. The queue
/// is not told of a cancelled `Task.sleep`: it asks, for the first sleeper, and for all when their
/// number counts or doubles.
struct SleeperQueue {
  /// A waiting sleeper. It is a class, so that the dictionary stores only references. Even with a
  /// hundred thousand sleepers, the dictionary then fits into a processor's cache.
  final class Waiting: Sendable {
    let sleeper: VirtualTime.Sleeper
    let end: End
    /// The sleeping task, as in `TaskID.current`; zero outside a task.
    let task: UInt64
    /// Whether the sleeping task is the scope's body.
    let isBody: Bool
    /// Whether the task released a hold of `Time.hold` for the sleep. If it did, the hold is taken
    /// again when the sleep ends.
    let releasedHold: Bool
    /// Whether the sleep is a timeout, which wakes after the other sleepers with the same deadline.
    let isLimit: Bool
    /// Whether the sleeper is a background task, which the scope does not wait for.
    let isBackground: Bool

    init(
      sleeper: VirtualTime.Sleeper, end: End, task: UInt64, isBody: Bool,
      releasedHold: Bool = false,
      isLimit: Bool = false, isBackground: Bool
    ) {
      self.sleeper = sleeper
      self.end = end
      self.task = task
      self.isBody = isBody
      self.releasedHold = releasedHold
      self.isLimit = isLimit
      self.isBackground = isBackground
    }
  }

  /// The way in which a sleep ends.
  enum End {
    /// A call of `Time` waits.
    case resume(CheckedContinuation<Bool, any Error>)
    /// A call of `Task.sleep` waits.
    case system(SystemSleep)
  }

  private struct Place: Comparable {
    let deadline: Duration
    /// The order among equal deadlines. It is the number of the sleep, with the top bit set for
    /// timeouts, so that timeouts come last.
    let rank: UInt64

    init(_ waiting: Waiting, id: UInt64) {
      deadline = waiting.sleeper.deadline
      rank = waiting.isLimit ? id | Self.limit : id
    }

    var id: UInt64 { rank & ~Self.limit }
    var isLimit: Bool { rank & Self.limit != 0 }

    private static var limit: UInt64 { 1 << 63 }

    static func < (left: Place, right: Place) -> Bool {
      left.deadline == right.deadline ? left.rank < right.rank : left.deadline < right.deadline
    }
  }

  private var heap = BinaryHeap<Place>()
  private var waiting: [UInt64: Waiting] = [:]
  /// The number of sleepers of `Task.sleep`, and the number from which all of them are asked.
  private var system = (count: 0, most: 64)
  /// The sleepers of `Task.sleep` whose tasks are not retained, by the number of the task.
  private var borrowed: [UInt64: UInt64] = [:]
  /// The cancelled sleeps of `Task.sleep`, by the number of looks of the watch since they were
  /// found, from two on.
  private var cancelled: [[SystemSleep]] = [[], [], []]

  /// The number of latest sleeps that are always kept: when `log` has twice as many, it loses its
  /// older half.
  private static let kept = 10_000

  /// The latest sleeps, ended ones included, in the order of their start.
  private(set) var log: [VirtualTime.Sleeper] = []

  var count: Int { waiting.count }

  /// The number of sleepers in background tasks.
  private(set) var backgroundCount = 0
  /// The number of sleepers that are neither timeouts nor in background tasks.
  private var ordinaryCount = 0

  /// The waiting sleepers, in the order in which they will wake.
  var sleepers: [VirtualTime.Sleeper] {
    waiting.map { (Place($1, id: $0), $1.sleeper) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The earliest deadline.
  mutating func earliest() -> Duration? {
    while let first = heap.first {
      if let sleep = waiting[first.id], !drop(first.id, ifCancelled: sleep) {
        return first.deadline
      }
      heap.removeFirst()
    }
    return nil
  }

  /// Whether the sleeper with the earliest deadline is a timeout. Call it after `earliest`.
  var isLimitFirst: Bool { heap.first?.isLimit == true }

  /// Removes the sleeps of `Task.sleep` that were cancelled.
  mutating func dropCancelled() {
    guard system.count > 0 else { return }
    for (id, sleep) in waiting { _ = drop(id, ifCancelled: sleep) }
    tidy()
  }

  private mutating func drop(_ id: UInt64, ifCancelled sleep: Waiting) -> Bool {
    guard case .system(let end) = sleep.end, end.isCancelled else { return false }
    _ = takeOut(id)
    cancelled[0].append(end)
    return true
  }

  /// Removes the sleep of the job's task if the task is not retained: the task is about to run, so
  /// its sleep was cancelled, and the task's memory may be freed once it has run.
  mutating func noteRun(of job: VirtualJob) {
    guard !borrowed.isEmpty, let id = borrowed[job.task], case .system(let end)? = takeOut(id)?.end
    else { return }
    cancelled[0].append(end)
    tidy()
  }

  /// Removes and returns a cancelled sleep of `Task.sleep`, for the caller to end.
  ///
  /// It was found two looks of the watch ago. A task is marked as cancelled just before its sleep
  /// is, by the thread that cancels it. If its sleep ended in between, it would end without an
  /// error.
  mutating func takeCancelled() -> SystemSleep? { cancelled[2].popLast() }

  /// Whether the task sleeps, or was cancelled in a `Task.sleep` a moment ago. Takes O(n).
  func isAsleep(_ task: UInt64) -> Bool {
    waiting.values.contains { $0.task == task }
      || cancelled.joined().contains { $0.taskID == task }
  }

  /// Counts a look of the watch.
  mutating func noteLook() {
    cancelled[2] += cancelled[1]
    cancelled[1] = cancelled[0]
    cancelled[0] = []
  }

  /// The number and the deadline of the timeout that is the next to wake, if only timeouts and
  /// background tasks sleep.
  mutating func limit() -> (id: UInt64, deadline: Duration)? {
    guard earliest() != nil, let first = heap.first, first.isLimit else { return nil }
    dropCancelled()
    return ordinaryCount == 0 ? (first.id, first.deadline) : nil
  }

  mutating func insert(_ sleep: Waiting, id: UInt64) {
    if log.count == 2 * Self.kept { log.removeFirst(Self.kept) }
    log.append(sleep.sleeper)
    if system.count >= system.most {
      dropCancelled()
      system.most = max(64, 2 * system.count)
    }
    waiting[id] = sleep
    count(sleep, id: id, by: 1)
    heap.insert(Place(sleep, id: id))
  }

  mutating func popFirst() -> Waiting? {
    while let first = heap.first {
      heap.removeFirst()
      if let sleep = takeOut(first.id) { return sleep }
    }
    return nil
  }

  mutating func remove(_ id: UInt64) -> Waiting? {
    guard let sleep = takeOut(id) else { return nil }
    tidy()
    return sleep
  }

  private mutating func tidy() {
    if heap.count > 64, heap.count > 2 * waiting.count { heap.keep { waiting[$0.id] != nil } }
  }

  /// Removes all sleepers, and returns them in the order in which they would wake.
  mutating func removeAll() -> [Waiting] {
    var all: [Waiting] = []
    while let next = popFirst() { all.append(next) }
    return all
  }

  /// The number of heap entries, cancelled sleepers included.
  var heapCount: Int { heap.count }

  private mutating func takeOut(_ id: UInt64) -> Waiting? {
    let sleep = waiting.removeValue(forKey: id)
    if let sleep { count(sleep, id: id, by: -1) }
    return sleep
  }

  private mutating func count(_ sleep: Waiting, id: UInt64, by change: Int) {
    if case .system(let end) = sleep.end {
      system.count += change
      if !end.isRetained { borrowed[sleep.task] = change > 0 ? id : nil }
    }
    if sleep.isBackground {
      backgroundCount += change
    } else if !sleep.isLimit {
      ordinaryCount += change
    }
  }
}

/// Ends the sleep of a timeout whose limit virtual time has reached, although no other task of the
/// scope slept.
struct UnseenLimit: Error {}
