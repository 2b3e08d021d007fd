// SPDX-License-Identifier: Apache-2.0

/// Measures how long a scope has made no progress, in wake-ups of the watch (see ``ScopeWatch``).
///
/// A wake-up counts only if progress was possible since the last wake-up that counted. While jobs
/// of the scope run, progress was possible if each job in the queue has run, or if one job has run
/// all the time. While all tasks are suspended, progress was possible if the concurrency pool and
/// the main queue have started the jobs that were queued at the last wake-up that counted.
/// Therefore a scope is not declared stalled only because the pool serves other code.
///
/// There are two counts. `quiet` counts wake-ups without progress, where progress is an advance of
/// time or the resumption of a task that waited for time. For each such wake-up that counts,
/// `quiet` grows by 1 minus a fraction: the part of the time since the previous wake-up that
/// counted in which the thread that runs the scope's jobs waited for a processor. Therefore a scope
/// is not declared stalled only because the machine is busy. `idle` counts wake-ups since the last
/// change of the scope's state, with all tasks suspended.
struct Stillness {
  /// The real time without progress after which the scope is stalled.
  let limit: Duration
  /// The real time after which suspended tasks are a deadlock, if nothing in the scope will wake
  /// one of them.
  let patience: Duration
  /// Counts each advance of time, and each wake-up of a task that waited for time.
  private var progress: UInt64 = 0
  /// The number of open scopes that are nested in the scope. The watch observes each of them
  /// separately.
  private var nested = 0
  private var pool = QueueProbe()
  private var mainQueue = QueueProbe()

  /// The weighted number of wake-ups without progress. A wake-up is left out if the scope had no
  /// chance to make progress before it. Any other wake-up adds 1 minus a fraction: the part of the
  /// elapsed time in which the thread that runs the scope's jobs waited for a processor.
  private(set) var quiet = 0.0
  /// The part of `quiet` that was counted while all tasks were suspended and the scope might be in
  /// a deadlock. If `patience` is longer than `limit`, `quiet` may exceed `limit` during that time.
  /// Once a task runs again, this part no longer counts towards `limit`. Otherwise, the scope would
  /// be declared stalled as soon as code outside the scope resumes one of its tasks.
  private var patient = 0.0
  /// The number of wake-ups that counted (see `Stillness`) since the last change of the scope's
  /// state, while all tasks were suspended.
  private var idle = 0
  /// The number of successive wake-ups that did not count, since the same queue gave this scope no
  /// chance to make progress, and served no other scope either.
  private var starved = 0
  /// The queue that `starved` is about, and how often it had served scopes.
  private var lacking = (queue: SharedQueue.pool, timesServed: 0)
  /// The total number of wake-ups at which the scope was making progress.
  private var busy = 0
  private var lastProgress: UInt64 = 0
  private var lastChanges: UInt64 = 0
  /// The value of `progress` when an advance last failed.
  private var failedProgress: UInt64?
  /// The number of completed rounds (see `Rounds`) at the last wake-up that counted: before that
  /// wake-up, the scope made progress, or had a chance to make progress.
  private var roundMark: UInt64 = 0
  private var lastTaken: UInt64?
  private var lastWaited: Waited?
  /// The number of the question (see `QueueProbe`) that the pool and the main queue have to answer;
  /// zero if there is none.
  private var question: UInt64 = 0
  private var lastQuestion: UInt64 = 0
  /// The number of the latest question when `idle` last changed. Only the answers to a later
  /// question increment `idle` again.
  private var idleQuestion: UInt64 = 0

  init(limit: Duration, patience: Duration) {
    self.limit = limit
    self.patience = patience
  }

  /// The scope's state at a wake-up.
  struct Look {
    /// The number of jobs taken so far.
    let taken: UInt64
    /// The number of completed rounds.
    let rounds: UInt64
    /// The number of changes of the scope's state so far.
    let changes: UInt64
    let turn: VirtualState.Turn
    /// Whether the scope may be waiting for code on the main queue, because its body is outside the
    /// scope or a task has a hold.
    var needsMainQueue = true
    /// Whether the scope is in a deadlock if all its tasks stay suspended. If they stay suspended
    /// for as long as `patience`, the verdict is then `deadlock`, even if it would otherwise be
    /// `quiet`.
    var mayBeDeadlock = false
    /// The total time for which the thread that runs the scope's jobs has waited for a processor.
    var waited: Waited?
    /// How often each queue has served scopes, in the whole process.
    var timesServed: SharedQueue.Counts = (0, 0)
  }

  /// The total time for which a thread has waited for a processor (`duration`), and the monotonic
  /// time at which that total was read (`time`).
  struct Waited: Equatable {
    let thread: UInt32
    let duration: Duration
    let time: Duration
  }

  enum Verdict: Equatable {
    case goesOn
    /// The scope must send these questions (see `QueueProbe`) to the pool and to the main queue. A
    /// nil question is not sent.
    case ask(pool: UInt64?, mainQueue: UInt64?)
    case quiet
    /// All tasks stayed suspended for as long as `patience`, with no change of the scope's state,
    /// and nothing in the scope will wake them.
    case deadlock
    /// The scope has been busy for so long that it may never end. This verdict is given only once.
    case endless
  }

  mutating func noteProgress() { progress += 1 }

  mutating func beginNested() { nested += 1 }

  mutating func endNested() { nested -= 1 }

  /// Records that the pool answered the question. Returns the next question to send, if any.
  mutating func poolAnswered(_ question: UInt64) -> UInt64? { pool.answer(question) }

  /// Records that the main queue answered the question. Returns the next question to send, if any.
  mutating func mainQueueAnswered(_ question: UInt64) -> UInt64? { mainQueue.answer(question) }

  /// Whether the job that ran at the last wake-up is still running.
  func isStillRunning(_ taken: UInt64, _ turn: VirtualState.Turn) -> Bool {
    if case .thread = turn { lastTaken == taken } else { false }
  }

  mutating func tick(_ look: Look) -> Verdict {
    let isStillRunning = isStillRunning(look.taken, look.turn)
    defer { if case .thread = look.turn { lastTaken = look.taken } else { lastTaken = nil } }
    if nested > 0 || progress != lastProgress || look.changes != lastChanges || look.turn != .idle {
      (idle, idleQuestion) = (0, lastQuestion)
    }
    lastChanges = look.changes
    if nested > 0 || progress != lastProgress {
      if nested == 0 { busy += 1 }
      lastWaited = nil
      (lastProgress, quiet, patient, starved, question) = (progress, 0, 0, 0, 0)
      if nested == 0, busy == longPatience { return .endless }
      return nested == 0 ? newRound(look) : .goesOn
    }
    let hadChance: Bool
    switch look.turn {
    case .idle where question == 0: return newRound(look)
    case .idle:
      hadChance =
        pool.answered >= question && (mainQueue.answered >= question || !look.needsMainQueue)
      if hadChance, min(pool.answered, mainQueue.answered) > idleQuestion {
        (idle, idleQuestion) = (idle + 1, lastQuestion)
      }
    case .pool, .mainQueue, .thread:
      // Two rounds must have ended since the last wake-up that counted: the round that was running
      // at that wake-up, and the next round, which contains all jobs queued at that wake-up.
      hadChance = isStillRunning || look.rounds >= roundMark + 2
    }
    guard hadChance else {
      let isMainQueue = look.turn == .mainQueue || look.turn == .idle && pool.answered >= question
      let queue = isMainQueue ? SharedQueue.mainQueue : .pool
      let now = (queue, queue == .pool ? look.timesServed.pool : look.timesServed.mainQueue)
      starved = now == lacking ? starved + 1 : 1
      lacking = now
      return .goesOn
    }
    let share = 1 - takeShareWaited(look.waited)
    (quiet, starved) = (quiet + share, 0)
    if look.mayBeDeadlock, isIdle { return .deadlock }
    let isPatient = look.mayBeDeadlock && look.turn == .idle
    if isPatient { patient += share }
    let (counted, limit) = isPatient ? (quiet, max(limit, patience)) : (quiet - patient, limit)
    return counted >= Double(wakeUps(limit)) ? .quiet : newRound(look)
  }

  /// Resets the counts. A question (see `QueueProbe`) that was already sent is still answered, but
  /// its answer no longer counts.
  mutating func restart() {
    (quiet, patient, idle, starved, question, idleQuestion) = (0, 0, 0, 0, 0, lastQuestion)
  }

  /// Whether all tasks have been suspended for as long as `patience`.
  var isIdle: Bool { idle >= wakeUps(patience) }

  /// The queue that the scope has waited for a long time, in which it has served no scope. It also
  /// runs other code, possibly for minutes, so the wait does not end the scope.
  var starvedOf: SharedQueue? { starved >= longPatience ? lacking.queue : nil }

  /// Whether the current advance should fail instead of the scope. False if an earlier advance has
  /// failed and there was no progress since: otherwise, a program that retries would never end.
  mutating func mayFailRequests() -> Bool {
    defer { failedProgress = progress }
    return failedProgress != progress
  }

  private mutating func newRound(_ look: Look) -> Verdict {
    roundMark = look.rounds
    guard case .idle = look.turn else {
      question = 0
      return .goesOn
    }
    lastQuestion += 1
    question = lastQuestion
    return .ask(
      pool: pool.ask(question) ? question : nil,
      mainQueue: mainQueue.ask(question) ? question : nil)
  }

  /// Returns the fraction of the time since the previous call, from 0 to 1, during which the thread
  /// of the scope's jobs was ready to run, but waited for a processor.
  ///
  /// The result is a fraction and not a duration, because busy processors also delay the wake-ups,
  /// so that the time between two calls varies.
  private mutating func takeShareWaited(_ waited: Waited?) -> Double {
    defer { lastWaited = waited }
    guard let waited, let last = lastWaited, last.thread == waited.thread, waited.time > last.time
    else { return 0 }
    return max(0, min(1, (waited.duration - last.duration) / (waited.time - last.time)))
  }

  /// The number of wake-ups after which the watch reports the scope, but does not end it. The limit
  /// applies to `busy`, the wake-ups with progress, and to `starved`.
  private var longPatience: Int { max(wakeUps(limit) * 10, wakeUps(.seconds(60))) }

  private func wakeUps(_ duration: Duration) -> Int { ScopeWatch.wakeUps(duration) }
}
