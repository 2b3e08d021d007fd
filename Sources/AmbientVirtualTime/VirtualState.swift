// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import AmbientSystem

/// The whole state of a scope of virtual time; its scheduler guards it with a lock.
///
/// Only the methods in this file change the state. `take` enqueues a job, `next` returns the
/// drainer's next step, and ``ScopeWatch`` calls `tick` at each of its wake-ups. The other methods
/// begin, store, cancel and end waits, begin and end holds and tasks, and open, await, leave and
/// end the scope.
struct VirtualState {
  /// Makes an error or a finding whose text names functions. It is made when the lock is released,
  /// since to look up a name takes time.
  typealias LateError = @Sendable () -> VirtualTimeError
  typealias LateFinding = @Sendable () -> ScopeFinding

  /// A step that the drainer performs next, outside the lock.
  enum Step {
    /// Run a job. If its task had left the scope, first report that.
    case run(VirtualJob, left: LateFinding?)
    case resume(CheckedContinuation<Bool, any Error>, Result<Bool, any Error>)
    /// End a sleep of `Task.sleep`. If its task seems to poll something real, first report that.
    case endSleep(SystemSleep, polls: LateFinding?)
    case cancel(Waits, [ScopeMembers.Child])
    case end(CheckedContinuation<Void, Never>, adopted: Set<UInt64>)
    /// Tell the error, if there is one, and cancel the scope's tasks: an explored schedule is over.
    case giveUp(LateError?, cancel: [@Sendable () -> Void])
    /// Abandon an explored schedule that is still stuck after its cancellation.
    case leave(Left)
    /// Leave the thread to other code, and start another drainer at the end of the pool's queue.
    case giveWay
  }

  /// The holder of the turn to run the scope's jobs.
  enum Turn: Equatable {
    /// No thread has the turn: the queue is empty, and all tasks of the scope are suspended.
    case idle
    /// The pool's next thread.
    case pool
    /// The main queue has the turn, for one job that was taken and has not begun.
    case mainQueue
    /// A thread has the turn. The first value is its `pthread_t`; `number` is its number in the
    /// kernel, or zero if the system is not Linux.
    case thread(UInt, number: UInt32)
  }

  /// A finding of the watch, which is handled outside the lock.
  enum Finding {
    /// Send the question `pool` (see `QueueProbe`) to the pool, and the question `mainQueue` to the
    /// main queue. A nil question is not sent.
    case ask(pool: UInt64?, mainQueue: UInt64?)
    /// The report of a scope that has been busy for so long that it may never end.
    case endless(@Sendable () -> String)
    /// An advance must fail: fewer tasks sleep than it waits for, or a hold does not end.
    case unsatisfied(LateError, VirtualRequest)
    /// The scope must end with this error, and these closures cancel its tasks.
    case over(LateError, cancel: [@Sendable () -> Void])
    /// Time may pass to the limit of a timeout: nothing has come back for `patience`.
    case passToLimit
    /// The scope is still stuck after its cancellation, so the watch abandons it.
    case leave(Left)
  }

  /// The waits for time that the caller must cancel.
  struct Waits {
    var calls: [CheckedContinuation<Bool, any Error>] = []
    var sleeps: [SystemSleep] = []

    /// - Parameter mayRun: Whether other threads may run the scope's tasks meanwhile.
    func cancel(besideTasks mayRun: Bool) {
      for call in calls { call.resume(throwing: CancellationError()) }
      for sleep in sleeps { sleep.cancel(besideTasks: mayRun) }
    }
  }

  /// The waits and tasks that remain when the watch abandons a scope. The caller releases the bare
  /// tasks, cancels the waits for time, and resumes the code that awaits the scope.
  struct Left {
    let opener: CheckedContinuation<Bool, Never>?
    let ending: CheckedContinuation<Void, Never>?
    let waits: Waits
    let adopted: Set<UInt64>
  }

  /// A task's wait for virtual time: a sleep, or a call that waits until time has advanced.
  struct Wait {
    let id: UInt64
    let isBody: Bool
    /// Whether the body began this wait outside the scope's executor, for example on the main
    /// actor, as far as the scope knows.
    let isForeign: Bool
  }

  private enum Phase {
    case running
    /// The body has returned, and the end of the scope is awaited with the continuation.
    case ending(CheckedContinuation<Void, Never>)
    /// The waits were cancelled. The tasks may run until the job queue's round `lastRound`.
    case cancelled(CheckedContinuation<Void, Never>, lastRound: UInt64)
    case ended
  }

  /// The reason why the watch ends the scope.
  private enum Verdict { case deadlock, stalled }

  private let advances: VirtualTime.Advances
  private var clock: ScopeClock
  private var jobs: JobQueue
  /// Nil for a scope that runs its jobs first in, first out.
  private var exploration: Exploration?
  /// The instant whose sleepers wake together now, and whether they are timeouts.
  private var waking: (instant: Duration, areLimits: Bool)?
  private var members = ScopeMembers()
  private var sleepers = SleeperQueue()
  private var requests: [VirtualRequest] = []
  /// Cancelled waits whose sleep or request has not been stored yet.
  private var cancelled: Set<UInt64> = []
  private var lastID: UInt64 = 0
  /// The number of holds that keep virtual time from advancing. A task's hold does not count while
  /// the task sleeps or awaits an advance.
  private var holds = 0
  /// The open holds, for reports.
  private var holders: [UInt64: (caller: SourcePlace, start: Duration)] = [:]

  private var racing = RacingSleeps()

  /// The task that woke last from `Task.sleep`, and how often in a row it did while no other slept.
  private var poller: (task: UInt64, wakes: Int) = (0, 0)
  private static var mostPolls: Int { 10_000 }

  private var turn = Turn.idle
  /// The number of the timeout to whose limit time may pass, because nothing has happened in the
  /// scope for `patience`.
  private var allowedLimit: UInt64?
  /// The instant to which time passed last for an advance, a timeout, or a task that is not a
  /// background task; and whether only timeouts and background tasks slept then. A timeout that is
  /// due at this instant needs no patience.
  private var reached: (instant: Duration, isUnseen: Bool)?
  /// The value of `jobs.taken` at which the drainer lets other code run.
  private var stretchEnd: UInt64 = 0
  private var phase = Phase.running
  private var body = ScopeBody()

  /// The number of changes of the scope's state. The watch compares it with the number at the last
  /// wake-up.
  private var changes: UInt64 = 0
  private var departed = DepartedTasks()
  private var stillness: Stillness
  private var verdict: Verdict?
  /// Whether the verdict was reported.
  private var isTold = false
  /// The name of another library's hook that took jobs.
  private(set) var othersHook: String?
  /// The address of the hook that was last checked.
  private var askedHook: UInt = 0

  /// The error with which the watch ended the scope.
  private(set) var failure: LateError?
  /// Descriptions of the tasks, except background tasks, that still slept or had not ended when the
  /// scope ended.
  private(set) var leftovers: [String] = []
  /// Whether a sleep of `Time` has begun after the end of the scope. Only the first is reported.
  private var hasLateSleep = false
  /// Whether the code that opened the scope was cancelled. The scope's tasks are then cancelled at
  /// its end, and are not leftovers.
  private var isOpenerCancelled = false
  /// The tasks that slept when the scope ended, which are already reported as sleepers.
  private var sleptLast: Set<UInt64> = []
  /// The number of successive wake-ups of the watch without progress, since the watch declared the
  /// scope stalled or in a deadlock. See `noteWakeUpSinceVerdict(quiet:)`.
  private(set) var wakeUpsSinceVerdict = 0.0
  /// The thread that was still running a job, or was blocked in one, when the scope was abandoned;
  /// nil if there is none, or once the job has ended.
  private var leftThread: UInt?
  /// The value of `jobs.taken` at the watch's last wake-up.
  private var lastTaken: UInt64 = 0
  /// The continuation that sends findings to the scope's opener.
  private(set) var findings: AsyncStream<ScopeFinding>.Continuation?

  init(
    origin: Date, _ advances: VirtualTime.Advances, limit: Duration, patience: Duration,
    run: ScheduleRun? = nil
  ) {
    clock = ScopeClock(origin: origin)
    jobs = JobQueue(run)
    exploration = run.map { Exploration(believes: $0.believes, mostJobs: $0.mostJobs) }
    self.advances = advances
    stillness = Stillness(limit: limit, patience: patience)
  }
}

// Values that the scheduler, the watch and `VirtualTime` read or set.
extension VirtualState {
  var now: Duration { clock.now }
  var wall: Duration { clock.wall }
  var date: Date { clock.wall(at: clock.now) }
  func uptime(at date: Date) -> Duration { clock.uptime(at: date) }

  /// A copy of the queue of sleepers, with its log of the latest sleeps. A caller can sort the copy
  /// after the lock is released.
  var waiting: SleeperQueue {
    mutating get {
      sleepers.dropCancelled()
      return sleepers
    }
  }
  var isWithoutTrace: Bool { cancelled.isEmpty }

  var limits: (limit: Duration, patience: Duration) { (stillness.limit, stillness.patience) }
  var scopeName: String { members.scopeName }

  /// Whether the scope has ended, or the watch has abandoned it. Queued jobs still run after that.
  var hasEnded: Bool { if case .ended = phase { true } else { false } }

  /// The queue that has kept the scope waiting for long, and serves no other scope. Of an ended
  /// scope without jobs, only its opener may wait, for a queue that the scope does not know.
  var starvedOf: SharedQueue? {
    (hasEnded ? turn != .idle : verdict != .stalled) ? stillness.starvedOf : nil
  }

  /// The kernel's number of the thread that has the turn. Nil if no thread has it, or if the scope
  /// had made progress at the last wake-up of the watch.
  var threadInQuestion: UInt32? {
    guard stillness.quiet > 0, case .thread(_, let number) = turn, number != 0 else { return nil }
    return number
  }

  mutating func stepWall(by duration: Duration) { clock.stepWall(by: duration) }

  mutating func noteOthersHook(_ name: String) { othersHook = name }

  /// Returns whether to check the hook at the address `hook`, and records it as checked. A check is
  /// needed if the last checked hook has another address, and no hook of another library was found
  /// yet.
  mutating func mustAsk(_ hook: UInt) -> Bool {
    defer { askedHook = hook }
    return othersHook == nil && hook != askedHook
  }
}

// The methods that enqueue jobs, choose the next job to run, and pass the turn, which is the right
// of one thread to run the jobs.
extension VirtualState {
  /// Enqueues the job and returns true. If the scope has ended, returns false for a job of a bare
  /// task, and does not enqueue it.
  ///
  /// - Parameter resumer: The task that enqueues the job outside of the scope; zero if none does.
  mutating func take(
    _ job: VirtualJob, isBare: Bool, _ origin: JobOrigin, isInTurn: Bool, from resumer: UInt64 = 0
  ) -> Bool {
    if isBare {
      if hasEnded { return false }
      members.adopt(job.task)
    }
    switch origin {
    case .start(let child): members.noteStart(of: child, task: job.task)
    case .unknown where !isInTurn && verdict == nil && holds == 0 && !departed.isExcused(resumer):
      if case .running = phase { departed.noteReturn(of: job.task, othersSleep: mayPass) }
    case .own, .unknown: break
    }
    sleepers.noteRun(of: job)
    jobs.append(job)
    if case .start(let child) = origin { jobs.name(job.task, members.name(ofStarted: child)) }
    return true
  }

  /// Returns the relation of a bare task (`Task { }`) to this scope, one of whose jobs starts or
  /// resumes the task.
  mutating func standing(of task: UInt64, isOutside: Bool) -> ScopeMembers.Standing {
    members.standing(of: task, isOutside: isOutside)
  }

  /// Counts a change of the scope's state. Must be called after each change. Returns true if no
  /// thread has the turn; the caller must then start a drainer, which runs the scope's jobs.
  mutating func noteChange() -> Bool {
    changes += 1
    guard case .idle = turn else { return false }
    turn = .pool
    return true
  }

  mutating func takeTurn(_ thread: UInt, number: UInt32) {
    turn = .thread(thread, number: number)
    stretchEnd = min(jobs.taken + 1_000, exploration?.mostJobs ?? .max)
  }

  /// Passes the turn to the pool's next thread.
  mutating func passTurn() { turn = .pool }

  /// The next step; `nil` ends the drainer.
  mutating func next() -> Step? {
    if leftThread != nil, leftThread == SystemThread.current { leftThread = nil }
    // A stalled scope makes no progress: its end must not wait for the queue to empty.
    if verdict == .stalled, case .ending = phase, let step = quiescentStep() { return step }
    if let sleep = sleepers.takeCancelled() { return .endSleep(sleep, polls: nil) }
    if waking != nil, let step = wakeTogether() { return step }
    if let step = jobs.isEmpty ? quiescentStep() : jobStep() { return step }
    turn = .idle
    return nil
  }

  private mutating func jobStep() -> Step? {
    // Lets other code run after 1,000 jobs. If the scope's jobs enqueue further jobs without end,
    // perhaps only other code can stop them.
    if jobs.taken >= stretchEnd {
      if let exploration, jobs.taken >= exploration.mostJobs { return cutOff() }
      turn = .pool
      return .giveWay
    }
    // After the cancellation, the number of further rounds (see `Rounds`) is limited. Otherwise a
    // task that ignores its cancellation could keep the scope open.
    if case .cancelled(let continuation, let lastRound) = phase, jobs.rounds >= lastRound {
      return end(continuation)
    }
    guard let job = jobs.popNext() else { return nil }
    allowedLimit = nil
    if job.place == .mainQueue { turn = .mainQueue }
    let task = job.task
    let left = departed.hasReturns ? noteReturn(job) : nil
    // A job of the body's task shows that the body has returned to the scope, if the main actor's
    // jobs also belong to the scope (`BareTasks.areHeld`). Otherwise the job may only be a step on
    // the body's way to the main actor.
    if body.isForeign, task == members.body, BareTasks.areHeld { body.noteJob() }
    departed.noteRun(of: task, job: jobs.taken, at: now)
    return .run(job, left: left)
  }

  /// The report of a task that comes back from where the scope does not see it.
  private mutating func noteReturn(_ job: VirtualJob) -> LateFinding? {
    switch departed.judge(job, othersSleep: mayPass, at: now) {
    case .expected: return nil
    case .unseen:
      let text = members.departure(of: job.task)
      return { .report(.leftScope, text) }
    case .cancelled:
      guard let limit = racing.sleep(beside: job, at: now), !sleepers.isAsleep(job.task) else {
        return nil
      }
      departed.silence()
      return members.lostRace(of: job.task, to: limit)
    }
  }

  /// Whether virtual time would advance to the next sleeper's deadline if all tasks were suspended.
  private var mayPass: Bool {
    mutating get {
      sleepers.dropCancelled()
      guard sleepers.count > 0 else { return false }
      if let request = requests.first { return sleepers.count >= request.sleepers }
      return advances == .byItself && body.isSeenToWait
    }
  }

  /// The next step when no job is queued: all tasks that the scope sees are suspended, so time may
  /// pass.
  private mutating func quiescentStep() -> Step? {
    switch phase {
    case .ending(let continuation):
      for _ in 0..<2 { sleepers.noteLook() }
      phase = .cancelled(continuation, lastRound: jobs.rounds + 100_000)
      return .cancel(takeWaits(), members.all.filter { $0.isBackground || isOpenerCancelled })
    case .cancelled(let continuation, _): return end(continuation)
    case .running where holds == 0 && !requests.isEmpty: return requestStep()
    case .running where mayPassByItself:
      guard let limit = patientLimit() else { return wakeNext() ?? giveUpOrLeave() }
      guard limit.id == allowedLimit || believe() else { return nil }
      reached = (limit.deadline, isUnseen: true)
      return wakeNext()
    case .running: return giveUpOrLeave()
    case .ended: return nil
    }
  }

  /// The timeout to whose limit time passes only after the patience: its body, or another task of
  /// the scope, may wait for something that the scope does not see.
  private mutating func patientLimit() -> (id: UInt64, deadline: Duration)? {
    guard verdict == nil, let limit = sleepers.limit(), limit.deadline != reached?.instant else {
      return nil
    }
    return limit
  }

  /// Whether time passes to the next sleeper's deadline when no job is queued and no call advances
  /// time.
  private var mayPassByItself: Bool {
    holds == 0 && !body.hasEnded && advances == .byItself && body.isSeenToWait
  }

  private mutating func end(_ continuation: CheckedContinuation<Void, Never>) -> Step {
    phase = .ended
    if verdict == nil, !isOpenerCancelled {
      leftovers += members.all.filter { !$0.isBackground && !sleptLast.contains($0.task) }
        .map(\.leftover)
    }
    return .end(continuation, adopted: members.takeAdopted())
  }

  /// Removes all waits for time, and records the sleepers among them.
  ///
  /// A sleep of `Task.sleep` isn't a leftover: the library that sleeps cannot know of the scope.
  private mutating func takeWaits() -> Waits {
    let asleep = sleepers.removeAll()
    sleptLast = Set(asleep.map(\.task))
    holds += asleep.count { $0.releasedHold } + requests.count { $0.releasedHold }
    var waits = Waits()
    for sleep in asleep {
      switch sleep.end {
      case .resume(let continuation):
        waits.calls.append(continuation)
        guard !sleep.isBackground, !isOpenerCancelled else { continue }
        leftovers.append(sleep.sleeper.leftover)
      case .system(let sleep): waits.sleeps.append(sleep)
      }
    }
    waits.calls += requests.map(\.continuation)
    requests = []
    return waits
  }
}

// The steps by which virtual time advances, for a request or to the next sleeper's deadline.
extension VirtualState {
  /// The next step of the first request; `nil` while the request waits for sleepers.
  private mutating func requestStep() -> Step? {
    let request = requests[0]
    if request.sleepers > 0 { sleepers.dropCancelled() }
    guard sleepers.count >= request.sleepers else { return nil }
    switch request.goal {
    case .settle: return answer(.success(true))
    case .step:
      requests[0].goal = .settle
      // The condition of `run(until:)` is checked after each sleeper.
      defer { waking = nil }
      return wakeNext() ?? answer(.success(false))
    case .exhaust(let limit):
      if sleepers.backgroundCount > 0 { sleepers.dropCancelled() }
      guard sleepers.earliest() != nil, sleepers.count > sleepers.backgroundCount else {
        return answer(.success(true))
      }
      guard request.mayFire else {
        let error = VirtualTimeError(.endless(firings: limit, sleepers: sleepers.sleepers))
        return answer(.failure(error))
      }
      return wakeNext()
    case .advance(let duration): return advance(to: request.target ?? now.plus(duration))
    case .jump(let duration):
      if request.target == nil { pass(to: now.plus(duration)) }
      return advance(to: request.target ?? now)
    case .reach(let date):
      let target = request.target ?? uptime(at: date)
      guard target >= now else {
        return answer(.failure(VirtualTimeError(.backwards(from: self.date, to: date))))
      }
      return advance(to: target)
    }
  }

  private mutating func advance(to target: Duration) -> Step? {
    requests[0].target = target
    if let deadline = sleepers.earliest(), deadline <= target { return wakeNext() }
    pass(to: target)
    return answer(.success(true))
  }

  private mutating func answer(_ result: Result<Bool, any Error>) -> Step {
    .resume(takeRequest().continuation, result)
  }

  /// Removes the first request, for the caller to answer.
  private mutating func takeRequest() -> VirtualRequest {
    let request = requests.removeFirst()
    if request.releasedHold { holds += 1 }
    changes += 1
    return request
  }

  /// Wakes the sleeper with the earliest deadline. If that deadline is in the future, time first
  /// advances to it.
  private mutating func wakeNext() -> Step? {
    guard sleepers.earliest() != nil, let waiting = sleepers.popFirst() else { return nil }
    allowedLimit = nil
    if !requests.isEmpty { requests[0].firings += 1 }
    let deadline = waiting.sleeper.deadline
    if exploration != nil { waking = (deadline, waiting.isLimit) }
    if !waiting.isBackground, reached?.instant != deadline { reached = (deadline, false) }
    pass(to: deadline)
    noteWake(waiting)
    switch waiting.end {
    case .resume(let continuation):
      let isUnseen = waiting.isLimit && reached?.isUnseen == true
      return .resume(continuation, isUnseen ? .failure(UnseenLimit()) : .success(true))
    case .system(let sleep):
      racing.note(waiting.sleeper, parent: sleep.parent)
      return .endSleep(sleep, polls: notePoll(of: waiting))
    }
  }

  /// Wakes another sleeper of the instant whose sleepers wake together, before a job runs. Timeouts
  /// wake after the jobs of the other sleepers have run.
  private mutating func wakeTogether() -> Step? {
    if let waking, holds == 0, sleepers.earliest() == waking.instant,
      sleepers.isLimitFirst == waking.areLimits, requests.first?.mayFire != false
    {
      return wakeNext()
    }
    waking = nil
    return nil
  }

  /// Counts how often in a row a task has woken from `Task.sleep` while no other task slept.
  /// Returns the report of the wake-up after which the task seems to poll something real.
  private mutating func notePoll(of waiting: SleeperQueue.Waiting) -> LateFinding? {
    let task = waiting.task
    let isAlone = sleepers.count == 0 && requests.isEmpty && task == poller.task
    poller = (task, isAlone ? poller.wakes + 1 : 1)
    guard poller.wakes == Self.mostPolls else { return nil }
    return members.polling(task, waiting.sleeper, Self.mostPolls)
  }

  private mutating func pass(to time: Duration) {
    if clock.pass(to: time) { stillness.noteProgress() }
  }

  private mutating func noteWake(_ waiting: SleeperQueue.Waiting) {
    changes += 1
    stillness.noteProgress()
    if waiting.isBody { body.endSleep() }
    if waiting.releasedHold { holds += 1 }
  }
}

// Waits, holds and tasks.
extension VirtualState {
  /// Records where the body runs, if the caller is the body and no hold is open. Returns whether
  /// the caller is the body.
  ///
  /// Do not call it in a closure of a cancellation handler or a continuation: such closures run on
  /// the scope's executor even if the caller is on the main actor.
  @discardableResult
  mutating func noteCaller(_ task: UInt64) -> Bool {
    guard task != 0, task == members.body else { return false }
    if holds == 0 {
      if case .thread(SystemThread.current, _) = turn {
        body.noteSeen(isInTurn: true)
      } else {
        body.noteSeen(isInTurn: false)
      }
    }
    return true
  }

  private mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  mutating func beginWait(of task: UInt64) -> Wait {
    let isBody = noteCaller(task)
    return Wait(id: makeID(), isBody: isBody, isForeign: isBody && body.beginWait())
  }

  /// Ends a wait. If the task was cancelled after its wake-up and before its return, `cancel` has
  /// stored the wait's number, which is removed here.
  mutating func endWait(_ wait: Wait, isCancelled: Bool) {
    if wait.isForeign { body.endForeignWait() }
    if isCancelled { cancelled.remove(wait.id) }
  }

  /// Whether the scope accepts no more waits: its waits were cancelled, or the scope has ended.
  private var isOver: Bool {
    switch phase {
    case .running, .ending: false
    case .cancelled, .ended: true
    }
  }

  /// Stores a sleeper and returns nil. If the task does not sleep in virtual time, returns a
  /// result instead: an error if the wait was cancelled, `true` if the deadline has passed, and
  /// `false` if the scope is over and the task must sleep in real time.
  mutating func sleep(
    _ wait: Wait, until deadline: Duration, isLimit: Bool, caller: SourcePlace,
    task: (id: UInt64, name: String?), releasesHold: Bool, isBackground: Bool,
    _ continuation: CheckedContinuation<Bool, any Error>
  ) -> Result<Bool, any Error>? {
    if cancelled.remove(wait.id) != nil { return .failure(CancellationError()) }
    if deadline <= now { return .success(true) }
    if isOver { return .success(false) }
    let sleeper = VirtualTime.Sleeper(
      caller: caller, task: task.name, start: now, deadline: deadline,
      date: clock.wall(at: deadline), callers: [])
    sleepers.insert(
      SleeperQueue.Waiting(
        sleeper: sleeper, end: .resume(continuation), task: task.id, isBody: wait.isBody,
        releasedHold: releasesHold, isLimit: isLimit, isBackground: isBackground), id: wait.id)
    if wait.isBody { body.beginSleep() }
    if releasesHold { holds -= 1 }
    return nil
  }

  /// Stores a sleep of `Task.sleep`. Returns false if the scope is over, and the task must sleep in
  /// real time.
  mutating func sleep(
    _ sleep: SystemSleep, for duration: Duration, task: (id: UInt64, name: String?),
    isBackground: Bool
  ) -> Bool {
    if isOver {
      clock.runOn()
      return false
    }
    let isBody = task.id != 0 && task.id == members.body
    guard duration > .zero else {
      jobs.append(sleep.asJob)
      return true
    }
    let deadline = now.plus(duration)
    sleepers.insert(
      SleeperQueue.Waiting(
        sleeper: VirtualTime.Sleeper(
          caller: SourcePlace(fileID: "Task.sleep", line: 0), task: task.name, start: now,
          deadline: deadline, date: clock.wall(at: deadline), callers: sleep.callers),
        end: .system(sleep), task: task.id, isBody: isBody, isBackground: isBackground),
      id: makeID())
    if isBody { body.beginSleep() }
    // Awake or cancelled, the task comes back by another thread.
    if sleep.isOutside { departed.excuse(task.id) }
    return true
  }

  /// Begins a sleep in real time after the end of the scope. Returns the duration of the sleep, and
  /// whether it is the first such sleep, which the caller reports.
  ///
  /// From the first late sleep on, the scope's clock runs with real time. So timers keep their
  /// rhythm, however many tasks sleep and however long the tasks work between two sleeps.
  mutating func beginLateSleep(until deadline: Duration) -> (rest: Duration, isFirst: Bool) {
    defer {
      clock.runOn()
      hasLateSleep = true
    }
    return (deadline.minus(now), !hasLateSleep)
  }

  /// Stores the request of a call that waits until time has advanced, and returns nil. If the call
  /// cannot wait, returns the error that the call throws.
  mutating func request(
    _ goal: VirtualRequest.Goal, sleepers: Int, _ wait: Wait, caller: SourcePlace,
    releasesHold: Bool, _ continuation: CheckedContinuation<Bool, any Error>
  ) -> (any Error)? {
    if cancelled.remove(wait.id) != nil { return CancellationError() }
    if isOver { return VirtualTimeError(.ended(caller: caller)) }
    requests.append(
      VirtualRequest(
        id: wait.id, caller: caller, goal: goal, sleepers: sleepers, releasedHold: releasesHold,
        start: now, continuation: continuation))
    if releasesHold { holds -= 1 }
    return nil
  }

  /// Removes a wait, and returns its continuation for the caller to resume. If the wait is not
  /// stored yet, records its `id` instead; then `sleep` or `request` ends the wait at once.
  mutating func cancel(_ id: UInt64) -> CheckedContinuation<Bool, any Error>? {
    if let sleep = sleepers.remove(id), case .resume(let continuation) = sleep.end {
      noteWake(sleep)
      return continuation
    }
    guard let index = requests.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return nil
    }
    let request = requests.remove(at: index)
    if request.releasedHold { holds += 1 }
    return request.continuation
  }

  mutating func beginHold(_ caller: SourcePlace, of task: UInt64) -> UInt64 {
    noteCaller(task)
    holds += 1
    allowedLimit = nil
    let id = makeID()
    holders[id] = (caller, now)
    return id
  }

  mutating func endHold(_ id: UInt64) {
    holds -= 1
    holders[id] = nil
  }

  mutating func beginTask(_ child: ScopeMembers.Child, by task: UInt64) -> UInt64 {
    noteCaller(task)
    let id = makeID()
    members.insert(child, id: id)
    return id
  }

  mutating func startTask(_ child: UInt64, cancel: @escaping @Sendable () -> Void) {
    members.start(child, cancel: cancel)
  }

  mutating func endTask(_ child: UInt64, error: String?) { members.end(child, error: error) }
}

// The scope, from its opening to its end.
extension VirtualState {
  mutating func open(at place: SourcePlace, _ findings: AsyncStream<ScopeFinding>.Continuation) {
    members.place = place
    self.findings = findings
  }

  mutating func beginNested() { stillness.beginNested() }

  mutating func endNested() { stillness.endNested() }

  /// Records that the opener was cancelled. From now on, a task that left the scope and returns to
  /// it is not reported, because the cancellation causes such returns.
  mutating func noteCancelled() {
    isOpenerCancelled = true
    departed.silence()
  }

  /// Stores the opener. Returns false if the body has already ended.
  mutating func awaitBody(_ opener: ScopeBody.Opener) -> Bool { body.store(opener) }

  /// Records that the body has ended; returns the opener's continuation, for the caller to resume.
  mutating func endBody() -> CheckedContinuation<Bool, Never>? { body.end() }

  /// Begins the end of the scope: the drainer then runs queued jobs, cancels waits for time, and
  /// finally resumes the continuation.
  mutating func awaitEnd(_ continuation: CheckedContinuation<Void, Never>) {
    phase = .ending(continuation)
  }
}

// The methods for ``ScopeWatch``, which finds scopes that make no progress, and ends them.
extension VirtualState {
  mutating func poolAnswered(_ question: UInt64) -> UInt64? { stillness.poolAnswered(question) }

  mutating func mainQueueAnswered(_ question: UInt64) -> UInt64? {
    stillness.mainQueueAnswered(question)
  }

  /// Records that the verdict was reported.
  mutating func noteTold() { isTold = true }

  /// Determines whether the scope makes progress, and returns the finding that the watch must
  /// handle, or nil. ``ScopeWatch`` calls this method at each of its wake-ups.
  mutating func tick(
    waited: Stillness.Waited?, timesServed: SharedQueue.Counts = SharedQueue.timesServed
  ) -> Finding? {
    sleepers.noteLook()
    let isStillRunning = stillness.isStillRunning(jobs.taken, turn)
    let quiet = stillness.quiet
    let seen = stillness.tick(
      Stillness.Look(
        taken: jobs.taken, rounds: jobs.rounds, changes: changes, turn: turn,
        needsMainQueue: body.isForeign || holds > 0, mayBeDeadlock: mayBeDeadlock, waited: waited,
        timesServed: timesServed))
    noteWakeUpSinceVerdict(quiet: stillness.quiet - quiet)
    if hasEnded { return nil }
    if isOverdue, let left = leave() { return .leave(left) }
    switch seen {
    case .goesOn: return nil
    case .ask(nil, nil): return nil
    case .ask(let pool, let mainQueue): return .ask(pool: pool, mainQueue: mainQueue)
    case .deadlock: return passToLimit() ?? declare(.deadlock, deadlock)
    case .endless: return verdict == .stalled ? nil : .endless(endlessness)
    // A blocked main queue keeps a deadlock from being seen, but not the limit of a timeout.
    case .quiet: return passToLimit() ?? handleStall(of: runner(isStillRunning: isStillRunning))
    }
  }

  /// Lets time pass to the limit of a timeout, if nothing else keeps time from passing.
  private mutating func passToLimit() -> Finding? {
    guard case .running = phase, turn == .idle, mayPassByItself, let limit = patientLimit() else {
      return nil
    }
    allowedLimit = limit.id
    return .passToLimit
  }

  /// Counts wake-ups without progress since the verdict.
  ///
  /// Progress resets the count. Unlike in `Stillness`, each job taken from the queue also counts as
  /// progress. At a wake-up without progress, the count grows by `quiet`, which is the increase of
  /// `Stillness.quiet` at that wake-up. The increase is zero while the pool serves other code, even
  /// if the scope is over and its opener waits for the pool. While a thread is blocked in an
  /// abandoned scope, the count grows by one instead, because `Stillness` does not measure a thread
  /// that has lost the turn.
  private mutating func noteWakeUpSinceVerdict(quiet: Double) {
    defer { lastTaken = jobs.taken }
    let goesOn = verdict == nil || quiet < 0 || jobs.taken != lastTaken
    wakeUpsSinceVerdict = goesOn ? 0 : wakeUpsSinceVerdict + (leftThread == nil ? quiet : 1)
  }

  /// Whether the scope is in a deadlock if all its tasks stay suspended. That requires that no
  /// verdict was given, that the opener awaits the body, and that no hold or advance is open.
  private var mayBeDeadlock: Bool {
    guard verdict == nil, body.opener != nil, holds == 0, requests.isEmpty, case .running = phase
    else { return false }
    return true
  }

  /// Handles a scope that has made no progress for the time `stillness.limit`.
  private mutating func handleStall(of runner: (task: UInt64, does: String)?) -> Finding? {
    if verdict == .stalled { return nil }
    // Nothing more can be done: the deadlock was reported, and without `mayLeave` the code that
    // opened the scope waits until the body ends.
    if verdict == .deadlock, body.opener?.mayLeave == false { return nil }
    let (limit, waiting) = (stillness.limit, known(of: runner).waiting)
    let error = { @Sendable in
      VirtualTimeError(.stalled(after: limit, waiting: waiting.descriptions))
    }
    if case .idle = turn, !requests.isEmpty, stillness.mayFailRequests() {
      stillness.restart()
      return .unsatisfied(missingSleepers ?? error, takeRequest())
    }
    return declare(.stalled, error)
  }

  private var deadlock: LateError {
    let waiting = known().waiting
    return { VirtualTimeError(.deadlock(waiting: waiting.descriptions)) }
  }

  private mutating func declare(_ verdict: Verdict, _ error: @escaping LateError) -> Finding {
    .over(error, cancel: condemn(verdict, error))
  }

  /// Records that the scope must end. Returns the closures that cancel its tasks.
  private mutating func condemn(_ verdict: Verdict, _ error: LateError?) -> [@Sendable () -> Void] {
    stillness.restart()
    // The cancellations come from another thread, so the order after them is not repeatable.
    jobs.endOrder()
    (self.verdict, isTold) = (verdict, false)
    failure = failure ?? error
    let opener = [body.opener?.cancel].compactMap(\.self)
    return opener + members.all.compactMap(\.cancel)
  }

  /// Whether the scope is still stuck after its tasks were cancelled.
  ///
  /// A stalled scope is stuck after half a second without progress, or after ten seconds if its
  /// report is not finished. A deadlocked scope is stuck if its report is finished and the scope
  /// has been idle for another period of `patience`; any event restarts that period.
  private var isOverdue: Bool {
    switch verdict {
    case nil: false
    case .deadlock: isTold && stillness.isIdle
    case .stalled: stillness.quiet >= (isTold ? 10 : 200)
    }
  }

  private mutating func leave() -> Left? {
    if body.opener?.mayLeave == false { return nil }
    var ending: CheckedContinuation<Void, Never>?
    switch phase {
    case .running where body.opener == nil: return nil
    case .running, .ended: break
    case .ending(let waiting), .cancelled(let waiting, _): ending = waiting
    }
    phase = .ended
    if case .thread(let thread, _) = turn { leftThread = thread }
    // The turn is taken from a blocked thread or from the main queue. The scope's queued jobs can
    // then run on another thread.
    if turn != .pool { turn = .idle }
    return Left(
      opener: body.end(), ending: ending, waits: takeWaits(), adopted: members.takeAdopted())
  }

  /// The error of the current advance, if the advance waits for sleepers. Nil if a hold is open,
  /// since the hold's task may be about to sleep.
  private var missingSleepers: LateError? {
    guard holds == 0, let request = requests.first, sleepers.count < request.sleepers else {
      return nil
    }
    let error = VirtualTimeError(
      .missingSleepers(
        caller: request.caller, expected: request.sleepers, sleepers: sleepers.sleepers,
        after: stillness.limit))
    return { error }
  }

  private var endlessness: @Sendable () -> String {
    let (scopeName, date, waiting) = (scopeName, date, known().waiting)
    return { Self.text(ofEndless: scopeName, date, waiting.sentence) }
  }

  static func text(ofEndless scope: String, _ date: Date, _ waiting: String) -> String {
    """
    \(scope) has run for a minute or more of real time, to the virtual time \(date.iso8601()), and \
    continues; now waiting: \(waiting). If a task waits for something that never happens, correct that. \
    If a repeating timer keeps virtual time moving, end the timer. For a long simulation, give the \
    scope a longer limit.
    """
  }

  /// Returns the task that keeps the scope busy, and the words by which a report describes the
  /// task's activity; nil if no thread has the turn. The task is that of the latest job, if the job
  /// still runs, or else the task that runs again and again.
  private func runner(isStillRunning: Bool) -> (task: UInt64, does: String)? {
    if turn == .idle { return nil }
    return isStillRunning
      ? (departed.runner, ScopeSnapshot.blocks)
      : (departed.looper(jobs.taken), ScopeSnapshot.repeats)
  }

  /// A description of the scope, for the report that the watch makes when it ends the program.
  var account: @Sendable () -> String {
    let scopeName = scopeName
    // The error lists the tasks as the watch found them; an abandoned scope has no tasks left to
    // list.
    if let failure { return { "\(scopeName): \(failure().description)" } }
    let isStillRunning = stillness.isStillRunning(jobs.taken, turn)
    let waiting = known(of: runner(isStillRunning: isStillRunning)).waiting
    return { "\(scopeName): \(waiting.sentence)" }
  }

  /// A snapshot for reports.
  private func known(of runner: (task: UInt64, does: String)? = nil) -> ScopeSnapshot {
    let isByHand = advances == .byHand && sleepers.count > 0
    let need = body.isForeign ? .foreign : isByHand ? .advance : ScopeSnapshot.Body.unknown
    return ScopeSnapshot(
      members: members, departed: departed, sleepers: sleepers, requests: requests,
      holders: holders, isHeld: holds > 0, body: body.hasEnded ? nil : need, runner: runner)
  }
}

// The exploration of a schedule.
extension VirtualState {
  /// The state of a scope that explores a schedule.
  private struct Exploration {
    let believes: Bool
    /// The number of jobs after which the schedule is given up.
    var mostJobs: UInt64
    var hasBelieved = false
    var isCutOff = false
    /// Whether the drainer has cancelled the tasks, and abandons those that do not end.
    var isGivenUp = false
  }

  var trace: ScheduleTrace {
    let (sequence, record) = jobs.trace
    return ScheduleTrace(
      jobs: jobs.taken, sequence: sequence, hasBelieved: exploration?.hasBelieved ?? false,
      isCutOff: exploration?.isCutOff ?? false,
      hasStalled: verdict == .stalled && exploration?.isCutOff != true, record: record)
  }

  /// Whether to believe that all tasks of the scope, which are suspended, wait for nothing outside.
  private mutating func believe() -> Bool {
    guard exploration?.believes == true else { return false }
    exploration?.hasBelieved = true
    return true
  }

  /// Gives up an explored schedule that is in a deadlock, if that is believed. If its tasks stay
  /// suspended after their cancellation, abandons them.
  private mutating func giveUpOrLeave() -> Step? {
    if exploration?.isGivenUp == true {
      // A cancelled task may still end its work in a hold. The watch leaves a scope that does not.
      guard holds == 0 else { return nil }
      turn = .idle
      return leave().map(Step.leave)
    }
    guard mayBeDeadlock, believe() else { return nil }
    return giveUp(.deadlock, deadlock)
  }

  private mutating func cutOff() -> Step {
    exploration?.isCutOff = true
    return giveUp(.stalled, nil)
  }

  private mutating func giveUp(_ verdict: Verdict, _ error: LateError?) -> Step {
    exploration?.isGivenUp = true
    exploration?.mostJobs = .max
    let cancel = condemn(verdict, error)
    isTold = true
    return .giveUp(error, cancel: cancel)
  }
}
