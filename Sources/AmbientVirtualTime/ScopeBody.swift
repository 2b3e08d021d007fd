// SPDX-License-Identifier: Apache-2.0

/// The state of a scope's body: the opener that awaits the body, whether the body was last seen
/// outside the scope's executor, and whether the body sleeps.
struct ScopeBody {
  /// The code that opened the scope and awaits the body, and a function that cancels the body.
  struct Opener {
    let awaiter: CheckedContinuation<Bool, Never>
    let cancel: @Sendable () -> Void
    let mayLeave: Bool
  }

  private(set) var opener: Opener?
  private(set) var hasEnded = false
  private var sleeps = false
  /// Whether the body was last seen outside the scope's executor, for example on the main actor. If
  /// so, an empty queue does not mean that the body is suspended.
  private(set) var isForeign = false
  /// Whether the body is outside the scope, and waits there for virtual time. Meanwhile, the body's
  /// jobs in the scope belong to the wait, and do not mean that the body has returned to the scope.
  private var waitsForeign = false

  /// Whether an empty queue of jobs proves that the body is suspended. Without this proof, virtual
  /// time does not advance by itself.
  var isSeenToWait: Bool { !isForeign || sleeps }

  mutating func noteSeen(isInTurn: Bool) { isForeign = !isInTurn }

  /// Records that the scope ran a job of the body's task, so the body is back in the scope's
  /// executor. Has no effect while the body waits outside the scope, because the job then belongs
  /// to that wait.
  mutating func noteJob() { if !waitsForeign { isForeign = false } }

  /// Records that the body begins to wait for virtual time, in a sleep or in an advance. Returns
  /// whether the body was last seen outside the scope's executor.
  mutating func beginWait() -> Bool {
    if isForeign { waitsForeign = true }
    return isForeign
  }

  mutating func endForeignWait() { waitsForeign = false }

  mutating func beginSleep() { sleeps = true }

  mutating func endSleep() { sleeps = false }

  /// Stores the opener, which is resumed when the body ends. Returns false if the body has already
  /// ended.
  mutating func store(_ opener: Opener) -> Bool {
    guard !hasEnded else { return false }
    self.opener = opener
    return true
  }

  /// Records that the body has ended; returns the opener's continuation, for the caller to resume.
  mutating func end() -> CheckedContinuation<Bool, Never>? {
    hasEnded = true
    // The opener is released to break a cycle: its closure retains the task, which retains the
    // scheduler, which holds this value.
    defer { opener = nil }
    return opener?.awaiter
  }
}
