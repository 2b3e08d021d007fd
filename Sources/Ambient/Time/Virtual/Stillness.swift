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
  /// Whether the scope waits for a thread of the pool, or for the main queue.
  var waitsForThread = false
  /// Whether a job has the turn.
  var isRunning = false
  /// How many scopes are open within this one, and watched themselves.
  var nested = 0
  /// The last probe of the pool and the main queue that came back.
  var answered: UInt64 = 0
  /// Whether the scope was found to stand still: it must not wait for rest any more.
  var isFound = false
  /// Whether whoever is told of that has been told.
  var isReported = false

  /// How often the scope was seen to stand still, less what its thread waited for a processor.
  private(set) var quiet = 0.0
  /// How often in a row the scope had no chance.
  private(set) var starved = 0
  private var lastProgress: UInt64 = 0
  /// The progress when those who advance time last got an error.
  private var failedProgress: UInt64?
  /// How many jobs have had to be taken so that all that stood in the queue had a turn.
  private var roundEnd: UInt64 = 0
  private var lastTaken: UInt64?
  private var lastWaited: Waited?
  /// The probe that is awaited; zero if none is.
  private var probe: UInt64 = 0
  private var lastProbe: UInt64 = 0

  init(limit: Duration) { self.limit = limit }

  /// For how long a thread has waited for a processor, in all, as seen at a monotonic time.
  struct Waited: Equatable {
    let thread: UInt32
    let duration: Duration
    let time: Duration
  }

  enum Verdict: Equatable {
    case goesOn
    case probe(UInt64)
    case quiet
    case starved
  }

  /// Whether the job that had the turn at the last wake-up has it still.
  func isStillRunning(_ taken: UInt64) -> Bool { isRunning && lastTaken == taken }

  /// A wake-up, when so many jobs have been `taken` from the queue of those `added`.
  ///
  /// - Parameter waited: How long the thread that has the turn has waited for a processor.
  mutating func tick(
    taken: UInt64, added: UInt64, isDraining: Bool, waited: Waited?
  ) -> Verdict {
    let isStillRunning = isStillRunning(taken)
    defer { lastTaken = isRunning ? taken : nil }
    if progress != lastProgress || nested > 0 {
      (lastProgress, quiet, starved, lastWaited) = (progress, 0, 0, nil)
      return newRound(added, isDraining)
    }
    let hadChance: Bool
    if waitsForThread {
      hadChance = false
    } else if isStillRunning {
      hadChance = true
    } else if isDraining {
      hadChance = taken >= roundEnd
    } else if probe == 0 {
      return newRound(added, isDraining)
    } else {
      hadChance = answered == probe
    }
    guard hadChance else {
      starved += 1
      return starved == patience ? .starved : .goesOn
    }
    (quiet, starved) = (quiet + 1 - takeShareWaited(waited), 0)
    if quiet >= Double(wakeUps(limit)) { return .quiet }
    return newRound(added, isDraining)
  }

  /// Begins to count anew.
  mutating func restart() { (quiet, starved) = (0, 0) }

  /// Whether those who advance time get an error instead of an end of the scope: not twice in a
  /// row, since they may try again for ever.
  mutating func mayFailRequests() -> Bool {
    defer { failedProgress = progress }
    return failedProgress != progress
  }

  private mutating func newRound(_ added: UInt64, _ isDraining: Bool) -> Verdict {
    roundEnd = added
    guard !isDraining else {
      probe = 0
      return .goesOn
    }
    lastProbe += 1
    probe = lastProbe
    return .probe(probe)
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

  /// The wake-ups after which it is said that the pool, or the main queue, keeps the scope waiting.
  /// They serve others, who may keep them for minutes, so that is no reason to end the scope.
  private var patience: Int { wakeUps(max(limit * 10, .seconds(60))) }

  private func wakeUps(_ duration: Duration) -> Int {
    Int(min(duration / ScopeWatch.interval, 1e9).rounded(.up))
  }
}
