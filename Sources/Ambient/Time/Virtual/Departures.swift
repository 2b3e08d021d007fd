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

  /// How often time has moved.
  private var moves: UInt64 = 0
  /// Which tasks ran, each with the number of moves before; all are forgotten when they are too
  /// many, which costs a report at most.
  private var runs: [UInt64: UInt64] = [:]
  private static let limit = 4_096

  mutating func noteMove() { moves += 1 }

  mutating func noteRun(of task: UInt64) {
    runner = task
    guard task != 0 else { return }
    if runs.count == Self.limit { runs.removeAll(keepingCapacity: true) }
    runs[task] = moves
  }

  /// Whether time has moved since the task last ran, as far as that is known.
  func hasMoved(since task: UInt64) -> Bool { runs[task].map { $0 != moves } ?? false }
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
    case .start(0): bodyJobTask = job.task
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
    guard !departures.returned.isEmpty, let task = jobs.first?.task,
      let othersSlept = departures.returned.removeValue(forKey: task),
      othersSlept || mayPass || departures.hasMoved(since: task), !departures.isReported
    else { return nil }
    departures.isReported = true
    return """
      \(name(of: task)) came back from where the scope\(place.map { " at \($0)" } ?? "") does not \
      see it, while others slept: whether virtual time passed meanwhile was a matter of luck. What \
      it waited for (an actor with an executor of its own, Dispatch, I/O, a real Task.sleep) belongs \
      in Time.hold { }
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
    if task == bodyJobTask { return "the body of the scope" }
    return children.values.first { $0.task == task }?.description ?? "a task"
  }
}
