internal import CVirtualTime

/// A job of the scope, and where it runs when its turn comes.
struct VirtualJob {
  enum Place {
    /// On the drainer's thread, under the scope's executor.
    case scope
    /// On the drainer's thread, as if that were the pool's: a bare task, which has no executor,
    /// would otherwise suspend at its first step, and run a turn later than it was started.
    case pool
    /// On the main actor's queue.
    case mainQueue
  }

  let job: UnownedJob
  let place: Place
  /// In which round it came to the queue, as far as that fits beside the place.
  fileprivate(set) var round: UInt32 = 0

  init(job: UnownedJob, place: Place) {
    self.job = job
    self.place = place
  }

  /// The number of its task, which no other task ever has; zero if it is no task's.
  ///
  /// Read when it is needed, since many jobs may stand in the queue. Must not be called after the
  /// job has run.
  var task: UInt64 {
    // Valid: a job is one pointer, to what lives until it has run.
    ambient_job_task(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
  }

  /// Whether its task was cancelled. Must not be called after the job has run, either.
  var isCancelled: Bool {
    // Valid, as above.
    ambient_job_is_cancelled(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
  }
}

/// The jobs of a scope that are ready to run: the one place where their order is decided, first in,
/// first out, in constant time on average.
///
/// It also counts rounds.
struct JobQueue {
  private var jobs: [VirtualJob] = []
  private var head = 0
  private var counter = Rounds()
  /// How many have been taken out so far.
  private(set) var taken: UInt64 = 0
  /// How many rounds are over.
  var rounds: UInt64 { counter.over }

  var isEmpty: Bool { head == jobs.count }

  mutating func append(_ job: VirtualJob) {
    var job = job
    job.round = counter.stamp
    jobs.append(job)
  }

  mutating func popNext() -> VirtualJob? {
    guard head < jobs.count else { return nil }
    let next = jobs[head]
    head += 1
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

/// Counts rounds, in whatever order jobs are taken: a round is over when all that stood in the
/// queue when it began have been taken out, and one at least.
struct Rounds {
  /// How many are over.
  private(set) var over: UInt64 = 0
  /// How many that stood in the queue when the round began are still there.
  private var standing = 0

  /// What a job is stamped with when it comes.
  ///
  /// It may wrap: a round is not over before all of the last one are taken, so no other stamps than
  /// this one and the last stand in the queue.
  var stamp: UInt32 { UInt32(truncatingIfNeeded: over) }

  /// Notes that a job with that stamp was taken out, and how many are left, of any stamp.
  mutating func noteTaken(_ stamp: UInt32, left: Int) {
    if stamp != self.stamp { standing -= 1 }
    guard standing == 0 else { return }
    over += 1
    standing = left
  }
}
