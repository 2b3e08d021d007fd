#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// All that a scope of virtual time knows; its scheduler guards it with a lock.
///
/// What changes it stands in this file, in verbs: `take` a job and `next` step of the drainer;
/// begin, `sleep`, `request`, `cancel` and end a wait; begin and end a hold, and a task; open,
/// await, leave and end the scope; and a wake-up of the watch, `tick`.
struct VirtualState {
  /// What the drainer does next, outside the lock.
  enum Step {
    /// A job runs, after a report that its task had left the scope, if there is one.
    case run(VirtualJob, left: String?)
    case resume(CheckedContinuation<Bool, any Error>, Result<Bool, any Error>)
    case cancel([CheckedContinuation<Bool, any Error>], [ScopeMembers.Child])
    case end(CheckedContinuation<Void, Never>, adopted: Set<UInt64>)
    /// The thread goes to others, until a drainer has one again.
    case giveWay
  }

  /// What has the turn to run the scope's jobs.
  enum Turn: Equatable {
    /// Nothing: the queue is empty, and all tasks of the scope are suspended.
    case idle
    /// The pool's next thread.
    case pool
    /// The main queue, for one job that has been taken and has not begun.
    case mainQueue
    /// A thread, by its numbers in the thread library and in the system.
    case thread(UInt, number: UInt32)
  }

  /// What the watch found, to be acted on outside the lock.
  enum Finding {
    /// The pool, and the main queue, are to be asked a question.
    case ask(pool: UInt64?, mainQueue: UInt64?)
    /// The scope has gone on for so long that it may never end: what to say of that.
    case endless(String)
    /// An advance waits for sleepers, or for a hold, in vain: it fails.
    case unsatisfied(VirtualTimeError, VirtualRequest)
    /// The scope must end: why, and how to cancel its tasks.
    case over(VirtualTimeError, cancel: [@Sendable () -> Void])
    /// Nor did that help.
    case leave(Left)
  }

  /// Of a scope that is left: whatever awaits it goes on without it, waits for time are cancelled,
  /// and bare tasks are released.
  struct Left {
    let opener: CheckedContinuation<Bool, Never>?
    let ending: CheckedContinuation<Void, Never>?
    let waits: [CheckedContinuation<Bool, any Error>]
    let adopted: Set<UInt64>
  }

  /// A wait of a task of the scope, from its beginning.
  struct Wait {
    let id: UInt64
    let isBody: Bool
    /// Whether the body waits from where the scope does not see it.
    let isForeign: Bool
  }

  private enum Phase {
    case running
    /// The body has returned, and its opener awaits the end.
    case ending(CheckedContinuation<Void, Never>)
    /// What waited is cancelled, and may go on for so many rounds.
    case cancelled(CheckedContinuation<Void, Never>, lastRound: UInt64)
    case ended
  }

  /// Why the watch ends the scope.
  private enum Verdict { case deadlock, stalled }

  private let advances: VirtualTime.Advances
  private var clock: ScopeClock
  private var jobs = JobQueue()
  private var members = ScopeMembers()
  private var sleepers = SleeperQueue()
  private var requests: [VirtualRequest] = []
  /// Sleeps and requests that were cancelled before they were there.
  private var cancelled: Set<UInt64> = []
  private var lastID: UInt64 = 0
  /// How many holds keep time from passing: those whose task does not sleep.
  private var holds = 0
  /// The open holds, for reports.
  private var holders: [UInt64: (caller: SourcePlace, start: Duration)] = [:]

  private var turn = Turn.idle
  /// How many jobs have been taken when the drainer has run long enough to give way.
  private var stretchEnd: UInt64 = 0
  private var phase = Phase.running
  private var body = ScopeBody()

  /// Counts what happens, so that the watch knows whether nothing did.
  private var changes: UInt64 = 0
  private var departures = Departures()
  private var stillness: Stillness
  private var verdict: Verdict?
  /// Whether the verdict was reported.
  private var isTold = false
  /// The name of another library's hook that took jobs.
  private(set) var othersHook: String?
  /// The address of another library's hook when it was last asked whether it takes jobs.
  private var askedHook: UInt = 0

  /// Why the watch ended the scope.
  private(set) var error: VirtualTimeError?
  /// What had not ended, or still slept, at the end, but for background tasks.
  private(set) var leftovers: [String] = []
  /// The tasks that were asleep when the scope ended, which are reported for that.
  private var sleptLast: Set<UInt64> = []
  /// For how many wake-ups, of those that count, the scope has run no job since the verdict.
  private(set) var wakeUpsSinceVerdict = 0.0
  /// The thread that still ran, or blocked in, a job when the scope was left.
  private var leftThread: UInt?
  /// How many jobs had been taken at the last wake-up.
  private var lastTaken: UInt64 = 0
  /// Leads to what opened the scope.
  private(set) var findings: AsyncStream<ScopeFinding>.Continuation?

  init(
    origin: Date, _ advances: VirtualTime.Advances, limit: Duration, patience: Duration
  ) {
    clock = ScopeClock(origin: origin)
    self.advances = advances
    stillness = Stillness(limit: limit, patience: patience)
  }
}

// What is read.
extension VirtualState {
  var now: Duration { clock.now }
  var wall: Duration { clock.wall }
  var date: Date { clock.wall(at: clock.now) }
  func uptime(at date: Date) -> Duration { clock.uptime(at: date) }

  /// The sleepers, to be sorted outside of the lock; those of all sleeps so far; and how many
  /// places they take.
  var waiting: SleeperQueue { sleepers }
  var isWithoutTrace: Bool { cancelled.isEmpty }

  var limits: (limit: Duration, patience: Duration) { (stillness.limit, stillness.patience) }
  var scopeName: String { members.scopeName }

  /// Whether the scope has ended; without its body, if its opener still waits for that.
  var hasEnded: Bool { if case .ended = phase { true } else { false } }

  /// Whether the pool, or the main queue, has kept the scope waiting for long.
  var isStarved: Bool { (verdict != .stalled || hasEnded) && stillness.isStarved }

  /// The thread that has the turn, if nothing went on at the last wake-up of the watch.
  var threadInQuestion: UInt32? {
    guard stillness.quiet > 0, case .thread(_, let number) = turn, number != 0 else { return nil }
    return number
  }

  mutating func stepWall(by duration: Duration) { clock.stepWall(by: duration) }

  mutating func noteOthersHook(_ name: String) { othersHook = name }

  /// Whether to ask if the hook takes jobs: once for each that is found.
  mutating func mustAsk(_ hook: UInt) -> Bool {
    defer { askedHook = hook }
    return othersHook == nil && hook != askedHook
  }
}

// Jobs, and the turn to run them.
extension VirtualState {
  /// Whether the job was taken: a bare task's is not once the scope has ended.
  mutating func take(
    _ job: VirtualJob, isBare: Bool, _ arrival: Arrival, isInTurn: Bool
  ) -> Bool {
    if isBare {
      if hasEnded { return false }
      members.adopt(job.task)
    }
    switch arrival {
    case .start(let child): members.noteStart(of: child, task: job.task)
    case .unknown where !isInTurn && verdict == nil && holds == 0:
      if case .running = phase { departures.noteReturn(of: job.task, othersSleep: mayPass) }
    case .own, .unknown: break
    }
    jobs.append(job)
    return true
  }

  /// What a bare task is to the scope in whose turn it is started or resumed.
  mutating func standing(of task: UInt64, isOutside: Bool) -> ScopeMembers.Standing {
    members.standing(of: task, isOutside: isOutside)
  }

  /// Must be called after each change; returns whether the caller has to start a drainer.
  mutating func noteChange() -> Bool {
    changes += 1
    guard case .idle = turn else { return false }
    turn = .pool
    return true
  }

  mutating func takeTurn(_ thread: UInt, number: UInt32) {
    turn = .thread(thread, number: number)
    stretchEnd = jobs.taken + 1_000
  }

  /// The turn goes to the pool's next thread.
  mutating func passTurn() { turn = .pool }

  /// The next step; `nil` ends the drainer.
  mutating func next() -> Step? {
    if leftThread != nil, leftThread == SystemThread.current { leftThread = nil }
    // Where nothing goes on, nothing waits for rest any more.
    if verdict == .stalled, case .ending = phase, let step = quiescentStep() { return step }
    if let step = jobs.isEmpty ? quiescentStep() : jobStep() { return step }
    turn = .idle
    return nil
  }

  private mutating func jobStep() -> Step? {
    // What runs on for ever must not keep the thread from those who could end it.
    if jobs.taken >= stretchEnd {
      turn = .pool
      return .giveWay
    }
    // A task that swallows its cancellation and goes on for ever must not keep the scope open.
    if case .cancelled(let continuation, let lastRound) = phase, jobs.rounds >= lastRound {
      return end(continuation)
    }
    guard let job = jobs.popNext() else { return nil }
    if job.place == .mainQueue { turn = .mainQueue }
    let task = job.task
    let hasLeft = departures.judge(job, othersSleep: mayPass, at: now)
    // It is back; where jobs are unseen it may only pass by, to the main actor.
    if body.isForeign, task == members.body, BareTasks.areHeld { body.noteJob() }
    departures.noteRun(of: task, job: jobs.taken, at: now)
    return .run(job, left: hasLeft ? members.departure(of: task) : nil)
  }

  /// Whether time would pass to the next sleeper if all in the scope were suspended.
  private var mayPass: Bool {
    guard sleepers.count > 0 else { return false }
    if let request = requests.first { return sleepers.count >= request.sleepers }
    return advances == .byItself && body.isSeenToWait
  }

  /// An empty queue means that every task of the scope is suspended: time may pass.
  private mutating func quiescentStep() -> Step? {
    switch phase {
    case .ending(let continuation):
      phase = .cancelled(continuation, lastRound: jobs.rounds + 100_000)
      let background = members.all.filter(\.isBackground)
      return .cancel(takeWaits(), background)
    case .cancelled(let continuation, _): return end(continuation)
    case .running where holds == 0 && !requests.isEmpty: return requestStep()
    case .running
    where holds == 0 && !body.hasEnded && advances == .byItself && body.isSeenToWait:
      return wakeNext()
    case .running, .ended: return nil
    }
  }

  private mutating func end(_ continuation: CheckedContinuation<Void, Never>) -> Step {
    phase = .ended
    if verdict == nil {
      leftovers += members.all.filter { !$0.isBackground && !sleptLast.contains($0.task) }.map {
        """
        \($0.description) has not ended, nor does it sleep: it waits for what may never come, or \
        runs elsewhere, and the scope ended before. Await it in the body, or cancel it.
        """
      }
    }
    return .end(continuation, adopted: members.takeAdopted())
  }

  /// Takes out all that wait for time, and notes those that still slept.
  private mutating func takeWaits() -> [CheckedContinuation<Bool, any Error>] {
    let asleep = sleepers.removeAll()
    sleptLast = Set(asleep.map(\.task))
    leftovers += asleep.filter { !$0.isBackground }.map {
      "\($0.sleeper), but the scope ended before: it was cancelled."
    }
    defer { requests = [] }
    return asleep.map(\.continuation) + requests.map(\.continuation)
  }
}

// Time.
extension VirtualState {
  /// The next step of the first request; `nil` if it has to wait for sleepers.
  private mutating func requestStep() -> Step? {
    let request = requests[0]
    guard sleepers.count >= request.sleepers else { return nil }
    switch request.goal {
    case .settle: return answer(.success(true))
    case .step:
      requests[0].goal = .settle
      return wakeNext() ?? answer(.success(false))
    case .exhaust(let limit):
      guard sleepers.count > sleepers.backgroundCount else { return answer(.success(true)) }
      guard request.firings < limit else {
        let error = VirtualTimeError.endless(firings: limit, sleepers: sleepers.sleepers)
        return answer(.failure(error))
      }
      requests[0].firings += 1
      return wakeNext()
    case .advance(let duration): return advance(to: request.target ?? now.plus(duration))
    case .jump(let duration):
      if request.target == nil { pass(to: now.plus(duration)) }
      return advance(to: request.target ?? now)
    case .reach(let date):
      let target = request.target ?? uptime(at: date)
      guard target >= now else {
        return answer(.failure(VirtualTimeError.backwards(from: self.date, to: date)))
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

  /// Takes the first request out, to be answered.
  private mutating func takeRequest() -> VirtualRequest {
    let request = requests.removeFirst()
    if request.releasedHold { holds += 1 }
    changes += 1
    return request
  }

  /// Lets time pass to the next deadline, if it has not passed it, and wakes the sleeper.
  private mutating func wakeNext() -> Step? {
    guard let waiting = sleepers.popFirst() else { return nil }
    pass(to: waiting.sleeper.deadline)
    noteWake(waiting)
    return .resume(waiting.continuation, .success(true))
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
  /// Notes where the body is seen, if the caller is the body, and says whether it is.
  ///
  /// Must be called where the caller runs: the closures of cancellation handlers and continuations
  /// run on the scope's executor even if the caller is on the main actor.
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

  /// A cancellation that comes between the wake and the return leaves its mark: take it away.
  mutating func endWait(_ wait: Wait, isCancelled: Bool) {
    if wait.isForeign { body.endForeignWait() }
    if isCancelled { cancelled.remove(wait.id) }
  }

  /// Whether what comes now to sleep is too late.
  private var isOver: Bool {
    switch phase {
    case .running, .ending: false
    case .cancelled, .ended: true
    }
  }

  /// Lets a task sleep; or says how its wait ends at once: `false` if the scope is over, and the
  /// task sleeps in real time.
  mutating func sleep(
    _ wait: Wait, until deadline: Duration, isLimit: Bool, caller: SourcePlace,
    task: (id: UInt64, name: String?), releasesHold: Bool, isBackground: Bool,
    _ continuation: CheckedContinuation<Bool, any Error>
  ) -> Result<Bool, any Error>? {
    if cancelled.remove(wait.id) != nil { return .failure(CancellationError()) }
    if deadline <= now { return .success(true) }
    if isOver { return .success(false) }
    let sleeper = Sleeper(
      caller: caller, task: task.name, start: now, deadline: deadline,
      date: clock.wall(at: deadline))
    sleepers.insert(
      SleeperQueue.Waiting(
        sleeper: sleeper, continuation: continuation, task: task.id, isBody: wait.isBody,
        releasedHold: releasesHold, isLimit: isLimit, isBackground: isBackground), id: wait.id)
    if wait.isBody { body.beginSleep() }
    if releasesHold { holds -= 1 }
    return nil
  }

  /// Begins a sleep in real time, after the end: how long it lasts, and whether that is to be
  /// reported, as the first one is. From then on the clock runs on with real time: a timer keeps
  /// its rhythm by it, however many sleep and however long they work in between.
  mutating func beginLateSleep(until deadline: Duration) -> (rest: Duration, isFirst: Bool) {
    (deadline.minus(now), clock.runOn())
  }

  /// Lets a task wait for time to advance; or says why it cannot.
  mutating func request(
    _ goal: VirtualRequest.Goal, sleepers: Int, _ wait: Wait, caller: SourcePlace,
    releasesHold: Bool, _ continuation: CheckedContinuation<Bool, any Error>
  ) -> (any Error)? {
    if cancelled.remove(wait.id) != nil { return CancellationError() }
    if isOver { return VirtualTimeError.ended(caller: caller) }
    requests.append(
      VirtualRequest(
        id: wait.id, caller: caller, goal: goal, sleepers: sleepers, releasedHold: releasesHold,
        start: now, continuation: continuation))
    if releasesHold { holds -= 1 }
    return nil
  }

  /// Takes a wait out, to be cancelled.
  mutating func cancel(_ id: UInt64) -> CheckedContinuation<Bool, any Error>? {
    if let sleep = sleepers.remove(id) {
      noteWake(sleep)
      return sleep.continuation
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

  /// The opener was cancelled: what comes back then is only obedient.
  mutating func noteCancelled() { departures.silence() }

  /// Whether the opener waits for the body, which has not ended.
  mutating func awaitBody(_ opener: ScopeBody.Opener) -> Bool { body.await(opener) }

  /// The body has ended: what awaits that, to be resumed.
  mutating func endBody() -> CheckedContinuation<Bool, Never>? { body.end() }

  /// Lets what is under way come to rest, cancels what still waits for time, and then resumes.
  mutating func awaitEnd(_ continuation: CheckedContinuation<Void, Never>) {
    phase = .ending(continuation)
  }
}

// The watch.
extension VirtualState {
  mutating func poolAnswered(_ question: UInt64) -> UInt64? { stillness.poolAnswered(question) }

  mutating func mainQueueAnswered(_ question: UInt64) -> UInt64? {
    stillness.mainQueueAnswered(question)
  }

  /// The verdict was reported.
  mutating func noteTold() { isTold = true }

  /// A wake-up of the watch.
  mutating func tick(waited: Stillness.Waited?) -> Finding? {
    let isStillRunning = stillness.isStillRunning(jobs.taken, turn)
    let quiet = stillness.quiet
    let seen = stillness.tick(
      Stillness.Look(
        taken: jobs.taken, rounds: jobs.rounds, changes: changes, turn: turn,
        needsMainQueue: body.isForeign || holds > 0, mayBeDeadlock: mayBeDeadlock, waited: waited))
    noteWakeUpSinceVerdict(quiet: stillness.quiet - quiet)
    if hasEnded { return nil }
    if isOverdue, let left = leave() { return .leave(left) }
    switch seen {
    case .goesOn: return nil
    case .ask(nil, nil): return nil
    case .ask(let pool, let mainQueue): return .ask(pool: pool, mainQueue: mainQueue)
    case .deadlock: return declare(.deadlock, .deadlock(waiting: known().waiting))
    case .endless: return verdict == .stalled ? nil : .endless(endlessness)
    case .quiet: return stand(still: runner(isStillRunning: isStillRunning))
    }
  }

  /// Counts the wake-ups that count as stillness: a pool that serves others says nothing about a
  /// scope, though it keeps one that has ended from its opener. Jobs that run are progress here.
  /// A thread that blocks in a scope that was left has no turn, so each wake-up counts for it.
  private mutating func noteWakeUpSinceVerdict(quiet: Double) {
    defer { lastTaken = jobs.taken }
    let goesOn = verdict == nil || quiet < 0 || jobs.taken != lastTaken
    wakeUpsSinceVerdict = goesOn ? 0 : wakeUpsSinceVerdict + (leftThread == nil ? quiet : 1)
  }

  /// Whether nothing in the scope will wake any of its tasks if all are suspended: then the body
  /// has to be told.
  private var mayBeDeadlock: Bool {
    guard verdict == nil, body.opener != nil, holds == 0, requests.isEmpty, case .running = phase
    else { return false }
    return true
  }

  /// Nothing has gone on for the limit.
  private mutating func stand(still runner: (task: UInt64, does: String)?) -> Finding? {
    if verdict == .stalled { return nil }
    // A deadlock has been told, and the body must be waited for.
    if verdict == .deadlock, body.opener?.mayLeave == false { return nil }
    let error = VirtualTimeError.stalled(after: stillness.limit, waiting: known(of: runner).waiting)
    if case .idle = turn, !requests.isEmpty, stillness.mayFailRequests() {
      stillness.restart()
      return .unsatisfied(missingSleepers ?? error, takeRequest())
    }
    return declare(.stalled, error)
  }

  private mutating func declare(_ verdict: Verdict, _ error: VirtualTimeError) -> Finding {
    stillness.restart()
    (self.verdict, isTold) = (verdict, false)
    self.error = self.error ?? error
    let opener = [body.opener?.cancel].compactMap(\.self)
    return .over(error, cancel: opener + members.all.compactMap(\.cancel))
  }

  /// Whether the tasks of the scope were cancelled, and that did not help: not within half a
  /// second, or longer while the report has not come through; in a deadlock, which is over as soon
  /// as anything happens, not for as long as it took to find it.
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
    // A thread that is blocked, or the main queue, keeps the turn; what stands behind it goes on.
    if turn != .pool { turn = .idle }
    return Left(
      opener: body.end(), ending: ending, waits: takeWaits(), adopted: members.takeAdopted())
  }

  /// What the advance whose turn it is waits for, if that is sleepers; not if a hold is open, whose
  /// task may be about to sleep.
  private var missingSleepers: VirtualTimeError? {
    guard holds == 0, let request = requests.first, sleepers.count < request.sleepers else {
      return nil
    }
    return .missingSleepers(
      caller: request.caller, expected: request.sleepers, sleepers: sleepers.sleepers,
      after: stillness.limit)
  }

  private var endlessness: String {
    """
    \(scopeName) has gone on for a minute or more of real time, and virtual time has come to \
    \(date.iso8601()). If something waits in it for what never comes, a timer, or a task that \
    advances time again and again, hides that. There are \(known().list). It \
    goes on; a simulation that takes so long may set a longer limit.
    """
  }

  /// What has the turn, or had it last, and what it does.
  private func runner(isStillRunning: Bool) -> (task: UInt64, does: String)? {
    if turn == .idle { return nil }
    return isStillRunning
      ? (
        departures.runner,
        "runs, or blocks its thread (a semaphore, an endless loop), all that while"
      )
      : (
        departures.looper(jobs.taken), "runs again and again (a loop of Task.yield, perhaps)"
      )
  }

  /// What is known of the scope, for the report of a program that ends because of it.
  var account: String {
    // What was found when it was told to end, since one that was left has let go of all.
    if let error { return "\(scopeName): \(error.description)" }
    let isStillRunning = stillness.isStillRunning(jobs.taken, turn)
    return "\(scopeName): \(known(of: runner(isStillRunning: isStillRunning)).list)"
  }

  /// What is known now, for reports.
  private func known(of runner: (task: UInt64, does: String)? = nil) -> ScopeAccount {
    let isByHand = advances == .byHand && sleepers.count > 0
    let need = body.isForeign ? .foreign : isByHand ? .advance : ScopeAccount.Body.unknown
    return ScopeAccount(
      members: members, departures: departures, sleepers: sleepers, requests: requests,
      holders: holders, body: body.hasEnded ? nil : need, runner: runner)
  }
}
