/// For how long nothing has gone on in a scope, counted in wake-ups of the watch.
///
/// A wake-up counts only if the scope has had its chance since the last one that counted: each job
/// that stood in its queue has had a turn, or one job has kept the turn, or, where all are
/// suspended, the pool and the main queue have done what they had queued up; and the time that the
/// thread with the turn waited for a processor is taken off. So a machine that has no time for the
/// scope, or a pool that serves others, makes no scope stand still.
struct Stillness {
  /// For how much real time nothing may go on.
  let limit: Duration
  /// Counts how often time, or somebody who waited for it, went on.
  var progress: UInt64 = 0
  /// How many scopes are open within this one, and watched themselves.
  var nested = 0
  var pool = Probe()
  var mainQueue = Probe()
  /// Whether the scope was found to stand still: it must not wait for rest any more.
  var isFound = false
  /// Whether whoever is told of that has been told.
  var isReported = false

  /// How often the scope was seen to stand still, less what its thread waited for a processor.
  private(set) var quiet = 0.0
  /// How often in a row the scope had no chance.
  private(set) var starved = 0
  /// How often in all the scope was seen to go on.
  private var busy = 0
  private var lastProgress: UInt64 = 0
  /// The progress when those who advance time last got an error.
  private var failedProgress: UInt64?
  /// How many jobs must have begun so that all in the queue, and one at least, had a turn.
  private var roundEnd: UInt64 = 1
  private var lastBegun: UInt64?
  private var lastWaited: Waited?
  /// The question to the pool and the main queue whose answers are awaited; zero if none are.
  private var question: UInt64 = 0
  private var lastQuestion: UInt64 = 0

  init(limit: Duration) { self.limit = limit }

  /// What a wake-up finds.
  struct Look {
    /// How many jobs have begun.
    let begun: UInt64
    /// How many jobs have been put into the queue.
    let added: UInt64
    let turn: VirtualState.Turn
    /// Whether the scope may wait for the main queue.
    var needsMainQueue = true
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
    /// The pool and the main queue are to be asked this question.
    case ask(UInt64)
    case quiet
    /// Something has gone on for so long that it may never end; said once.
    case endless
  }

  /// Whether the job that had the turn at the last wake-up has it still.
  func isStillRunning(_ begun: UInt64, _ turn: VirtualState.Turn) -> Bool {
    if case .thread = turn { lastBegun == begun } else { false }
  }

  mutating func tick(_ look: Look) -> Verdict {
    let isStillRunning = isStillRunning(look.begun, look.turn)
    defer { if case .thread = look.turn { lastBegun = look.begun } else { lastBegun = nil } }
    if nested > 0 || progress != lastProgress {
      if nested == 0 { busy += 1 }
      (lastProgress, quiet, starved, lastWaited, question) = (progress, 0, 0, nil, 0)
      roundEnd = max(look.added, look.begun + 1)
      return nested == 0 && busy == patience ? .endless : .goesOn
    }
    let hadChance: Bool
    switch look.turn {
    case .nobody where question == 0: return newRound(look)
    case .nobody:
      hadChance =
        pool.answered >= question && (mainQueue.answered >= question || !look.needsMainQueue)
    case .pool, .mainQueue, .thread: hadChance = isStillRunning || look.begun >= roundEnd
    }
    guard hadChance else {
      starved += 1
      return .goesOn
    }
    (quiet, starved) = (quiet + 1 - takeShareWaited(look.waited), 0)
    return quiet >= Double(wakeUps(limit)) ? .quiet : newRound(look)
  }

  /// Begins to count anew.
  mutating func restart() { (quiet, starved) = (0, 0) }

  /// Whether the pool, or the main queue, keeps the scope waiting. They serve others, who may keep
  /// them for minutes, so that is no reason to end the scope.
  var isStarved: Bool { !isFound && starved >= patience }

  /// Whether those who advance time get an error instead of an end of the scope: not twice in a
  /// row, since they may try again for ever.
  mutating func mayFailRequests() -> Bool {
    defer { failedProgress = progress }
    return failedProgress != progress
  }

  private mutating func newRound(_ look: Look) -> Verdict {
    roundEnd = max(look.added, look.begun + 1)
    guard case .nobody = look.turn else {
      question = 0
      return .goesOn
    }
    lastQuestion += 1
    question = lastQuestion
    return .ask(question)
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
  private var patience: Int { max(wakeUps(limit) * 10, wakeUps(.seconds(60))) }

  private func wakeUps(_ duration: Duration) -> Int {
    Int(min(duration / ScopeWatch.interval, 1e9).rounded(.up))
  }
}

/// Whether a queue of others does what it had queued up: it is asked one question at a time, since
/// a queue that nobody serves would keep them all.
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
