/// The body of a scope: what awaits its end, where it was seen last, and whether it sleeps.
struct ScopeBody {
  /// What awaits the end of the body, and how to reach it.
  struct Opener {
    let awaiter: CheckedContinuation<Bool, Never>
    let cancel: @Sendable () -> Void
    let mayLeave: Bool
  }

  private(set) var opener: Opener?
  private(set) var hasEnded = false
  private var sleeps = false
  /// Whether it was last seen outside the scope's executor, on the main actor for example: then an
  /// empty queue does not mean that it is suspended.
  private(set) var isForeign = false
  /// Whether it waits for time from there: then its jobs in the scope are of that wait, and do not
  /// mean that it has come back.
  private var waitsForeign = false

  /// Whether it waits if the queue is empty, which is no guess: time never passes on one.
  var isSeenToWait: Bool { !isForeign || sleeps }

  mutating func noteSeen(isInTurn: Bool) { isForeign = !isInTurn }

  /// A job of its task has its turn in the scope.
  mutating func noteJob() { if !waitsForeign { isForeign = false } }

  /// Begins a wait for time, and says whether that is from where the scope does not see it.
  mutating func beginWait() -> Bool {
    if isForeign { waitsForeign = true }
    return isForeign
  }

  mutating func endForeignWait() { waitsForeign = false }

  mutating func beginSleep() { sleeps = true }

  mutating func endSleep() { sleeps = false }

  /// Whether the opener waits for the end, which has not come.
  mutating func await(_ opener: Opener) -> Bool {
    guard !hasEnded else { return false }
    self.opener = opener
    return true
  }

  /// Ends it: what awaits that, to be resumed.
  mutating func end() -> CheckedContinuation<Bool, Never>? {
    hasEnded = true
    // Its task holds the scheduler.
    defer { opener = nil }
    return opener?.awaiter
  }
}
