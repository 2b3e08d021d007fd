internal import CVirtualTime

/// What a scope knows of its tasks that leave it without a hold: for an actor with an executor of
/// its own, Dispatch, I/O, a real `Task.sleep`.
///
/// The scope takes them for suspended, and time may pass meanwhile, or not, as it happens. It
/// cannot see them leave, but it sees them come back: something outside of its turn enqueues them.
struct Departures {
  /// The task whose job has the turn, or had it last; zero if the job is no task's.
  private(set) var runner: UInt64 = 0
  /// Who came back and has not had a turn since, and whether others slept then.
  fileprivate var returned: [UInt64: Bool] = [:]
  /// Whether a return was reported, which is done once.
  fileprivate var isReported = false
  /// Whether whoever opened the scope cancelled it: what comes back then is only obedient.
  var isCancelled = false

  private var runs = RecentRuns()
  /// The task that had the turn last, and the number of the job.
  private var lastTask: (task: UInt64, job: UInt64) = (0, 0)

  mutating func noteRun(of task: UInt64, job: UInt64, at time: Duration) {
    runner = task
    guard task != 0 else { return }
    lastTask = (task, job)
    runs.note(task, at: time)
  }

  /// Which task runs again and again, when so many jobs have been taken; zero if that is not known.
  ///
  /// Between two jobs of its own are those of `Task.yield`, and of others that do the same. Of an
  /// actor's jobs nobody knows whose they are.
  func looper(_ taken: UInt64) -> UInt64 { taken - lastTask.job < 1_000 ? lastTask.task : 0 }

  /// When the task last ran, as far as that is known.
  func lastRun(of task: UInt64) -> Duration? { task == 0 ? nil : runs.time(of: task) }
}

/// Which tasks of a scope ran lately, and at what time.
///
/// A fixed table, since one of all tasks would grow for ever, and without a hash, since each job
/// writes to it. The numbers of tasks follow each other; of many with the same last digits the
/// earliest is forgotten, which costs a report at most.
private struct RecentRuns {
  private var runs: [(task: UInt64, time: Duration)] = []
  private static let sets = 64
  /// How many of the same last digits are kept, the latest first.
  private static let ways = 4

  mutating func note(_ task: UInt64, at time: Duration) {
    if runs.isEmpty { runs = Array(repeating: (0, .zero), count: Self.sets * Self.ways) }
    let set = set(of: task)
    if runs[set.lowerBound].task != task {
      let place = set.first { runs[$0].task == task } ?? set.upperBound - 1
      for way in stride(from: place, to: set.lowerBound, by: -1) { runs[way] = runs[way - 1] }
    }
    runs[set.lowerBound] = (task, time)
  }

  func time(of task: UInt64) -> Duration? {
    guard !runs.isEmpty else { return nil }
    return set(of: task).first { runs[$0].task == task }.map { runs[$0].time }
  }

  private func set(of task: UInt64) -> Range<Int> {
    let start = Int(truncatingIfNeeded: task) & (Self.sets - 1)
    return start * Self.ways..<(start + 1) * Self.ways
  }
}

/// From where a job comes to a scope, as the thread that enqueues it says.
enum Arrival: Equatable {
  /// From outside, unless the thread has the scope's turn.
  case unknown
  /// The scope itself resumes the task, whose wait it knows.
  case own
  /// A task begins: the body, as 0, or a child, by the scope's number of it.
  case start(UInt64)

  private var word: UInt64 {
    switch self {
    case .unknown: 0
    case .own: 1
    case .start(let number): number + 2
    }
  }

  static var current: Arrival {
    switch ambient_arrival_load() {
    case 0: .unknown
    case 1: .own
    case let word: .start(word - 2)
    }
  }

  /// From here to the end of the mark, the thread starts or resumes tasks so.
  func begin() -> Mark {
    defer { ambient_arrival_store(word) }
    return Mark(before: ambient_arrival_load())
  }

  struct Mark {
    fileprivate let before: UInt64

    func end() { ambient_arrival_store(before) }
  }

  /// Runs `body`, which starts or resumes tasks so.
  func with(_ body: () -> Void) {
    let mark = begin()
    defer { mark.end() }
    body()
  }
}

extension VirtualState {
  /// Notes that a job is put into the queue.
  mutating func noteArrival(of job: VirtualJob, _ arrival: Arrival, isInTurn: Bool) {
    switch arrival {
    case .start(0): bodyTask = job.task
    case .start(let child): started = (child, job.task)
    case .own: break
    case .unknown where isInTurn: break
    case .unknown:
      guard job.task != 0, !departures.isReported, !departures.isCancelled, holds == 0,
        deadlock == nil, case .running = phase
      else { return }
      departures.returned[job.task] = mayPass
    }
  }

  /// What there is to say of the task that comes next, once it is known who sleeps meanwhile: those
  /// who stood before it in the queue have had their turn.
  mutating func judgeReturn() -> String? {
    guard !departures.returned.isEmpty, let job = jobs.first, case let task = job.task,
      let othersSlept = departures.returned.removeValue(forKey: task), !job.isCancelled,
      othersSlept || mayPass || departures.lastRun(of: task) ?? now != now, !departures.isReported
    else { return nil }
    departures.isReported = true
    // The body's name says already which scope.
    let scope = task == bodyTask ? "the scope" : scopeName
    let cure = BareTasks.cure(isHeld: BareTasks.areHeld)
    return """
      \(name(of: task)) came back from where \(scope) does not see it, while others slept: whether \
      virtual time passed meanwhile was a matter of luck. Of what it waited for, \(cure)
      """
  }

  /// Whether time would pass to the next sleeper if all in the scope were suspended.
  private var mayPass: Bool {
    guard sleepers.count > 0 else { return false }
    if let request = requests.first { return sleepers.count >= request.sleepers }
    return advances == .byItself && (!bodyIsForeign || bodySleeps)
  }

  /// What reports call the task.
  func name(of task: UInt64) -> String {
    if task == bodyTask { return bodyName }
    if task == 0 { return "a task" }
    return children.values.first { $0.task == task }?.description ?? "a task"
  }
}
