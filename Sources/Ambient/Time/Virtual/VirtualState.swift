#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// All that a scope of virtual time knows; its scheduler guards it with a lock.
struct VirtualState {
  /// What the drainer does next, outside the lock.
  enum Step {
    case run(VirtualJob)
    case wake(CheckedContinuation<Void, any Error>)
    case answer(CheckedContinuation<Bool, any Error>, Result<Bool, any Error>)
    case end(CheckedContinuation<Void, Never>)
    case cancel([SleeperQueue.Waiting], [VirtualRequest], [Child])
    case report(left: String)
    case suspectDeadlock(era: UInt64)
    /// The thread goes to others, until a drainer has one again.
    case giveWay
  }

  /// Who has the turn to run the scope's jobs.
  enum Turn: Equatable {
    /// Nobody: the queue is empty, and all tasks of the scope are suspended.
    case nobody
    /// Whoever gets the pool's next thread.
    case pool
    /// The main queue, for one job that has been taken and has not begun.
    case mainQueue
    /// A thread, by its numbers in the thread library and in the system.
    case thread(UInt, number: UInt32)
  }

  enum Phase {
    case running
    /// The body has returned, and somebody awaits the end.
    case ending(CheckedContinuation<Void, Never>)
    case cancelled(CheckedContinuation<Void, Never>, patience: Int)
    case ended
  }

  /// Whoever awaits the end of the body, and how to reach it.
  struct Body {
    let awaiter: CheckedContinuation<Bool, Never>
    let cancel: @Sendable () -> Void
    let mayBeLeft: Bool
  }

  /// A task that `Time.task` started.
  struct Child {
    let caller: SourcePlace
    let name: String?
    /// Whether it ends with the scope, and nobody waits for it.
    let isBackground: Bool
    /// The number of its task; zero if it is not known.
    var task: UInt64 = 0
    var cancel: (@Sendable () -> Void)?

    mutating func start(_ task: UInt64, _ cancel: @escaping @Sendable () -> Void) {
      self.task = task
      self.cancel = cancel
    }

    /// What reports call the task.
    var description: String { "Time.task\(name.map { " “\($0)”" } ?? "") at \(caller)" }
  }

  /// The sleeps that are kept to be read; older ones are dropped when there are twice as many.
  static let keptSleeps = 10_000

  /// The wall time at the start of the scope, since the reference date.
  let origin: Duration
  let advances: VirtualTime.Advances
  var now: Duration = .zero
  var wallOffset: Duration = .zero

  var jobs = FIFO<VirtualJob>()
  /// The tasks that are no children of the scope's, but were started by its tasks: kept to its end,
  /// since nobody says when they have ended.
  var adopted: Set<UInt64> = []
  /// The tasks that were started in its turn and do not belong to it.
  var strangers: Set<UInt64> = []
  var turn = Turn.nobody
  /// How many jobs have been taken when the drainer has run long enough to give way.
  private var stretchEnd: UInt64 = 0
  var holds = 0
  /// The open holds, for reports.
  var holders: [UInt64: (caller: SourcePlace, start: Duration)] = [:]
  var requests: [VirtualRequest] = []
  var sleepers = SleeperQueue()
  var sleeps: [Sleeper] = []
  /// Sleeps and requests that were cancelled before they were there.
  var cancelled: Set<UInt64> = []
  var lastID: UInt64 = 0

  var phase = Phase.running
  /// Those who still slept at the end, but for background tasks.
  private(set) var leftovers: [Sleeper] = []
  var bodyHasEnded = false
  /// The number of the body's task.
  var bodyTask: UInt64 = 0
  var bodySleeps = false
  /// Whether the body was last seen outside the scope's executor, on the main actor for example:
  /// then an empty queue does not mean that it is suspended.
  var bodyIsForeign = false
  /// Whether the body waits for time from there: then its jobs in the scope are of that wait, and
  /// do not mean that it has come back.
  var bodyWaitsForeign = false
  var body: Body?
  /// Where the scope was opened.
  var place: SourcePlace?
  /// Leads to whoever opened it.
  var findings: AsyncStream<ScopeFinding>.Continuation?
  var children: [UInt64: Child] = [:]
  /// The child that was started last, and the number of its task.
  var started: (child: UInt64, task: UInt64) = (0, 0)
  /// Counts what happens, to know whether nothing did.
  var era: UInt64 = 0
  /// Whether somebody finds out whether the scope is in a deadlock.
  var isSuspecting = false
  /// The era in which that was found out, to do it once.
  var suspectedEra: UInt64?
  var deadlock: VirtualTimeError?
  var stillness: Stillness
  var departures = Departures()

  init(origin: Date, _ advances: VirtualTime.Advances, limit: Duration) {
    self.origin = origin.sinceReferenceDate
    self.advances = advances
    stillness = Stillness(limit: limit)
  }

  /// The wall time now, since the reference date.
  var wall: Duration { origin + now + wallOffset }

  /// The wall time when the monotonic time is `uptime`.
  func wall(at uptime: Duration) -> Date {
    Date(sinceReferenceDate: origin + uptime + wallOffset)
  }

  /// The monotonic time when the wall shows `date`.
  func uptime(at date: Date) -> Duration { date.sinceReferenceDate - origin - wallOffset }

  /// Must be called after each change; returns whether the caller has to start a drainer.
  mutating func noteChange() -> Bool {
    era += 1
    guard case .nobody = turn else { return false }
    turn = .pool
    return true
  }

  /// Gives up the bare tasks, which go their own ways from now on.
  mutating func takeAdopted() -> Set<UInt64> {
    defer { adopted = [] }
    return adopted
  }

  /// Takes out whoever still sleeps, and notes who that was.
  mutating func takeLeftovers() -> [SleeperQueue.Waiting] {
    let waiting = sleepers.removeAll()
    leftovers += waiting.filter { !$0.isBackground }.map(\.sleeper)
    return waiting
  }

  /// Lets go of the body, whose task holds the scheduler.
  mutating func takeBodyAwaiter() -> CheckedContinuation<Bool, Never>? {
    defer { body = nil }
    return body?.awaiter
  }

  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// The next step; `nil` ends the drainer.
  mutating func next() -> Step? {
    // Where nothing goes on, nobody waits for rest any more.
    if stillness.isFound, case .ending = phase, let step = quiescentStep() { return step }
    if let step = jobs.isEmpty ? quiescentStep() : jobStep() { return step }
    turn = .nobody
    return nil
  }

  private mutating func jobStep() -> Step? {
    // What runs on for ever must not keep the thread from those who could end it.
    if jobs.taken >= stretchEnd {
      turn = .pool
      return .giveWay
    }
    if case .cancelled(let continuation, let patience) = phase {
      // One that swallows its cancellation and goes on for ever must not keep the scope open.
      guard patience > 0 else {
        phase = .ended
        return .end(continuation)
      }
      phase = .cancelled(continuation, patience: patience - 1)
    }
    if let report = judgeReturn() { return .report(left: report) }
    guard let job = jobs.popFirst() else { return nil }
    if job.isForMainActor { turn = .mainQueue }
    let task = job.task
    // It is back; without hooks it may only pass by, to the main actor, which is not seen.
    if bodyIsForeign, !bodyWaitsForeign, task == bodyTask, BareTasks.areHeld {
      bodyIsForeign = false
    }
    departures.noteRun(of: task, job: jobs.taken, at: now)
    return .run(job)
  }

  mutating func takeTurn(_ thread: UInt, number: UInt32) {
    turn = .thread(thread, number: number)
    stretchEnd = jobs.taken + 1_000
  }

  /// How many jobs have begun so far.
  var begun: UInt64 { turn == .mainQueue ? jobs.taken - 1 : jobs.taken }

  /// An empty queue means that every task of the scope is suspended: time may pass.
  private mutating func quiescentStep() -> Step? {
    switch phase {
    case .ending(let continuation):
      let background = children.sorted { $0.key < $1.key }.map(\.value).filter(\.isBackground)
      phase = .cancelled(continuation, patience: 100_000)
      defer { requests = [] }
      return .cancel(takeLeftovers(), requests, background)
    case .cancelled(let continuation, _):
      phase = .ended
      return .end(continuation)
    case .running where holds == 0 && !requests.isEmpty: return requestStep()
    case .running where holds == 0 && !bodyHasEnded: return idleStep()
    case .running, .ended: return nil
    }
  }

  /// The body is suspended too: on to the next sleeper, or nobody will ever wake.
  private mutating func idleStep() -> Step? {
    // Time never passes on a guess about a body that is not seen; if it waits for that, it has to
    // be told.
    if advances == .byItself, !bodyIsForeign || bodySleeps, let step = wakeNext() { return step }
    guard body != nil, !isSuspecting, suspectedEra != era else { return nil }
    isSuspecting = true
    suspectedEra = era
    return .suspectDeadlock(era: era)
  }

  /// Lets time pass to the next deadline, if it has not passed it, and wakes who waits for it.
  mutating func wakeNext() -> Step? {
    guard let waiting = sleepers.popFirst() else { return nil }
    pass(to: waiting.sleeper.deadline)
    noteWake(waiting)
    return .wake(waiting.continuation)
  }

  /// Lets time pass, if it has not come so far.
  mutating func pass(to time: Duration) {
    guard time > now else { return }
    now = time
    stillness.progress += 1
  }

  mutating func noteWake(_ waiting: SleeperQueue.Waiting) {
    era += 1
    stillness.progress += 1
    if waiting.isBody { bodySleeps = false }
    if waiting.releasedHold { holds += 1 }
  }

  /// Notes where the body is seen, if the caller is the body.
  ///
  /// Must be called where the caller runs: the closures of cancellation handlers and continuations
  /// run on the scope's executor even if the caller is on the main actor.
  mutating func noteCaller(_ task: UInt64) -> Bool {
    guard task != 0, task == bodyTask else { return false }
    if holds == 0 {
      if case .thread(SystemThread.current, _) = turn {
        bodyIsForeign = false
      } else {
        bodyIsForeign = true
      }
    }
    return true
  }
}
