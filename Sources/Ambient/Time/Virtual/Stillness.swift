/// For how long nothing has gone on in a scope, counted in wake-ups of the watch.
///
/// A wake-up counts only if the scope has had its chance since the last one that counted: each job
/// that stood in its queue has had a turn, or one job has kept the turn, or, where all are
/// suspended, the pool and the main queue have done what they had queued up; and the time that the
/// thread with the turn waited for a processor is taken off. So a machine that has no time for the
/// scope, or a pool that serves others, makes no scope stand still.
///
/// Two counts: `quiet`, in which neither time nor a task that waits for it went on, and `idle`, in
/// which nothing happened at all while all tasks were suspended.
struct Stillness {
  /// For how much real time nothing may go on.
  let limit: Duration
  /// For how much real time all may be suspended where only each other could wake them.
  let patience: Duration
  /// Counts how often time, or a task that waited for it, went on.
  private var progress: UInt64 = 0
  /// How many scopes are open within this one, and watched themselves.
  private var nested = 0
  private var pool = Probe()
  private var mainQueue = Probe()

  /// How often the scope was seen to stand still, less what its thread waited for a processor.
  private(set) var quiet = 0.0
  /// How often the scope was seen with all its tasks suspended, and nothing had happened.
  private(set) var idle = 0
  /// How often in a row the scope had no chance.
  private(set) var starved = 0
  /// How often in all the scope was seen to go on.
  private var busy = 0
  private var lastProgress: UInt64 = 0
  private var lastChanges: UInt64 = 0
  /// The progress when the advance whose turn it was got an error.
  private var failedProgress: UInt64?
  /// How many rounds were over when the last wake-up that counted began to wait.
  private var roundMark: UInt64 = 0
  private var lastTaken: UInt64?
  private var lastWaited: Waited?
  /// The question to the pool and the main queue whose answers are awaited; zero if none are.
  private var question: UInt64 = 0
  private var lastQuestion: UInt64 = 0
  /// The last question before the scope was found idle: an answer to a later one says so again.
  private var idleQuestion: UInt64 = 0

  init(limit: Duration, patience: Duration) {
    self.limit = limit
    self.patience = patience
  }

  /// What a wake-up finds.
  struct Look {
    /// How many jobs have been taken out of the queue, and how many rounds are over.
    let taken: UInt64
    let rounds: UInt64
    /// Counts whatever happens.
    let changes: UInt64
    let turn: VirtualState.Turn
    /// Whether the scope may wait for the main queue.
    var needsMainQueue = true
    /// Whether it is a deadlock if all are suspended: then that is judged first.
    var mayBeDeadlock = false
    /// How long the thread that has the turn has waited for a processor.
    var waited: Waited?
  }

  /// For how long a thread has waited for a processor, in all, as seen at a monotonic time.
  struct Waited: Equatable {
    let thread: UInt32
    let duration: Duration
    let time: Duration
  }

  enum Verdict: Equatable {
    case goesOn
    /// The pool and the main queue are to be asked these questions; nil asks none.
    case ask(pool: UInt64?, mainQueue: UInt64?)
    case quiet
    /// For the patience nothing has happened while all were suspended, where that is a deadlock.
    case deadlock
    /// Something has gone on for so long that it may never end; said once.
    case endless
  }

  mutating func noteProgress() { progress += 1 }

  mutating func beginNested() { nested += 1 }

  mutating func endNested() { nested -= 1 }

  /// Notes the answer of the pool, and returns which question it is to be sent next, if one is.
  mutating func poolAnswered(_ question: UInt64) -> UInt64? { pool.answer(question) }

  /// Notes the answer of the main queue, likewise.
  mutating func mainQueueAnswered(_ question: UInt64) -> UInt64? { mainQueue.answer(question) }

  /// Whether the job that had the turn at the last wake-up has it still.
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
      (lastProgress, quiet, starved, question) = (progress, 0, 0, 0)
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
      // The round that is going on, and the next one, which has all that stood in the queue.
      hadChance = isStillRunning || look.rounds >= roundMark + 2
    }
    guard hadChance else {
      starved += 1
      return .goesOn
    }
    (quiet, starved) = (quiet + 1 - takeShareWaited(look.waited), 0)
    if look.mayBeDeadlock, isIdle { return .deadlock }
    let isPatient = look.mayBeDeadlock && look.turn == .idle
    let limit = isPatient ? max(limit, patience) : limit
    return quiet >= Double(wakeUps(limit)) ? .quiet : newRound(look)
  }

  /// Begins to count anew. A question that is under way stays so, and its answer counts for none
  /// that is asked from now on.
  mutating func restart() {
    (quiet, idle, starved, question, idleQuestion) = (0, 0, 0, 0, lastQuestion)
  }

  /// Whether all have been suspended for as long as they may be.
  var isIdle: Bool { idle >= wakeUps(patience) }

  /// Whether the pool, or the main queue, keeps the scope waiting. They serve others, who may keep
  /// them for minutes, so that is no reason to end the scope.
  var isStarved: Bool { starved >= longPatience }

  /// Whether the advance whose turn it is gets an error instead of an end of the scope: not twice
  /// in a row, since it may be tried again for ever.
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

  /// For which share of the time since the last wake-up that counted the thread waited for a
  /// processor: so long the scope did not stand still.
  ///
  /// A share, since the wake-ups come late too where processors are busy.
  private mutating func takeShareWaited(_ waited: Waited?) -> Double {
    defer { lastWaited = waited }
    guard let waited, let last = lastWaited, last.thread == waited.thread, waited.time > last.time
    else { return 0 }
    return max(0, min(1, (waited.duration - last.duration) / (waited.time - last.time)))
  }

  /// The wake-ups after which something is said that ends no scope.
  private var longPatience: Int { max(wakeUps(limit) * 10, wakeUps(.seconds(60))) }

  private func wakeUps(_ duration: Duration) -> Int { ScopeWatch.wakeUps(duration) }
}

/// Whether a queue of others does what it had queued up: it is asked one question at a time, since
/// a queue that is not served would keep them all.
struct Probe {
  private(set) var answered: UInt64 = 0
  private var wanted: UInt64 = 0
  private var isOut = false

  /// Whether the question is to be sent now, and not when the one before has come back.
  mutating func ask(_ question: UInt64) -> Bool {
    wanted = question
    defer { isOut = true }
    return !isOut
  }

  /// Notes the answer, and returns which question is to be sent next, if one is.
  mutating func answer(_ question: UInt64) -> UInt64? {
    answered = question
    isOut = wanted > question
    return isOut ? wanted : nil
  }
}
