// SPDX-License-Identifier: Apache-2.0

internal import CVirtualTime

/// A job of the scope, and the place where it runs.
struct VirtualJob {
  enum Place {
    /// On the drainer's thread, under the scope's executor.
    case scope
    /// On the drainer's thread, under no executor, like a job on the concurrent pool.
    ///
    /// Under the scope's executor, a bare task would suspend at its first step to leave that
    /// executor, and would run later than the jobs queued meanwhile.
    case pool
    /// On the main actor's queue.
    case mainQueue
  }

  let job: UnownedJob
  let place: Place
  /// The number of the round (see `Rounds`) in which the job was enqueued. The number is truncated
  /// to 16 bits, to save memory in the queue.
  fileprivate(set) var round: UInt16 = 0
  /// The number of the job's task in an explored schedule (see ``JobOrder``); else zero.
  var number: UInt32 = 0

  init(job: UnownedJob, place: Place) {
    self.job = job
    self.place = place
  }

  /// The number of the job's task, unique in the process; zero if the job belongs to no task.
  ///
  /// The number is read from the job at each access, because storing it would take memory in the
  /// queue. This property must not be read after the job has run.
  var task: UInt64 {
    // Valid: an `UnownedJob` is one pointer to an object that lives until the job has run.
    ambient_job_task(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
  }

  /// Whether the job's task was cancelled. Must not be read after the job has run.
  var isCancelled: Bool {
    // Valid for the same reason as in `task`.
    ambient_job_is_cancelled(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
  }

  /// The numbers of the tasks that await the job's task, the nearest first: its parent, if it is a
  /// child, the parent's parent, and so on. Must not be read after the job has run.
  var parents: [UInt64] {
    var parents: [UInt64] = []
    // Valid for the same reason as in `task`. A child's parent lives longer than the child.
    var task: UnsafeMutableRawPointer? = unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
    while let parent = task.flatMap(ambient_task_parent) {
      parents.append(ambient_job_task(parent))
      task = parent
    }
    return parents
  }
}

/// The scope's ready jobs, first in, first out, unless a schedule is explored. Only this queue
/// decides the order in which jobs run.
///
/// Each operation takes amortized constant time, unless a schedule is explored. The queue also
/// counts rounds: see `Rounds`.
struct JobQueue {
  private var jobs: [VirtualJob] = []
  private var head = 0
  private var counter = Rounds()
  /// The order of jobs in an explored schedule; nil for first in, first out.
  private var order: JobOrder?
  /// The number of jobs taken out so far.
  private(set) var taken: UInt64 = 0
  /// The number of completed rounds.
  var rounds: UInt64 { counter.over }

  var isEmpty: Bool { head == jobs.count }

  init(_ run: ScheduleRun? = nil) { order = run.map(JobOrder.init) }

  mutating func append(_ job: VirtualJob) {
    var job = job
    job.round = counter.stamp
    if let number = order?.task(of: job) { job.number = number }
    jobs.append(job)
  }

  /// Names a task of an explored schedule, for a report.
  mutating func name(_ task: UInt64, _ name: @autoclosure () -> String) {
    if order != nil { order?.name(task, name()) }
  }

  /// Ends the exploration: from now on, jobs run first in, first out.
  mutating func endOrder() { order?.end() }

  /// The tasks of the jobs that ran in an explored schedule, and their record.
  var trace: (sequence: [UInt32], record: ScheduleRecord?) { order?.trace ?? ([], nil) }

  mutating func popNext() -> VirtualJob? {
    guard head < jobs.count else { return nil }
    let next: VirtualJob
    if let chosen = order?.choose(from: jobs, head), chosen > head {
      next = jobs.remove(at: chosen)
    } else {
      next = jobs[head]
      head += 1
    }
    taken += 1
    counter.noteTaken(next.round, left: jobs.count - head)
    if head == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 4_096, head * 2 > jobs.count {
      jobs.removeFirst(head)
      head = 0
    }
    return next
  }
}

/// A counter of rounds. The count does not depend on the order in which jobs are taken.
///
/// A round is complete when all jobs that were queued at its beginning have been taken. If none
/// were queued, the round is complete when one job has been taken.
struct Rounds {
  /// The number of completed rounds.
  private(set) var over: UInt64 = 0
  /// The number of jobs that were queued when the round began, and still are.
  private var standing = 0

  /// The stamp of jobs enqueued now.
  ///
  /// A round ends only when all jobs that were enqueued before that round have been taken, so the
  /// queue never has more than two different stamps. Stamps are only compared for equality, so the
  /// stamp may wrap around.
  var stamp: UInt16 { UInt16(truncatingIfNeeded: over) }

  /// Records that a job with that stamp was taken out; `left` jobs of any stamp are still queued.
  mutating func noteTaken(_ stamp: UInt16, left: Int) {
    if stamp != self.stamp { standing -= 1 }
    guard standing == 0 else { return }
    over += 1
    standing = left
  }
}
