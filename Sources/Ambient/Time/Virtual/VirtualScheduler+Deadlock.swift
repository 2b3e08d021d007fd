extension VirtualScheduler {
  /// Takes the wait for a deadlock if nothing happens for a while of real time, and then while the
  /// main actor, and the pool's threads, do what they have queued up: the body may be at work
  /// there, where the scope does not see it.
  ///
  /// The time of the scope stands still meanwhile; it never passes on such a guess.
  func confirmDeadlock(_ era: UInt64) {
    Task.detached {
      // Counted in wake-ups, so that a stop of the process is one, however long it takes.
      for _ in 0..<20 { try? await Task.sleep(for: .milliseconds(10)) }
      for _ in 0..<32 { await MainActor.run {} }
      // One suspicion at a time: what it finds refuted is suspected anew, if it is quiet again.
      let isQuiet = self.withState { state in
        state.isSuspecting = false
        return state.era == era
      }
      guard isQuiet else { return self.change { _ in } }
      self.withState { $0.deadlock == nil } ? self.declareDeadlock(era) : self.leaveBodyBehind(era)
    }
  }

  /// Cancels the body, and the tasks of the scope: what heeds that comes to its end.
  private func declareDeadlock(_ era: UInt64) {
    // Not a `change`, which would start a drainer that suspects again before the verdict.
    let verdict = withState {
      state -> (VirtualTimeError, VirtualState.Body, [VirtualState.Child])? in
      guard state.era == era, let body = state.body else { return nil }
      let children = state.children.sorted { $0.key < $1.key }.map(\.value)
      let error = VirtualTimeError.deadlock(
        waiting: [state.bodyDescription] + children.map(\.description)
          + state.sleepers.sleepers.map(\.description))
      state.deadlock = error
      return (error, body, children)
    }
    guard let (error, body, children) = verdict else { return }
    tell(.error(error))
    body.cancel()
    for child in children { child.cancel?() }
    // Starts a drainer, which goes on if nobody heeded that.
    change { _ in }
  }

  /// Nothing happened though the body was cancelled: it never ends.
  private func leaveBodyBehind(_ era: UInt64) {
    let awaiter = withState { state -> CheckedContinuation<Bool, Never>? in
      guard state.era == era, let body = state.body, body.mayBeLeft else { return nil }
      state.bodyHasEnded = true
      return state.takeBodyAwaiter()
    }
    awaiter?.resume(returning: false)
  }
}

extension VirtualState {
  /// What reports call the scope, and its body: by the place where it was opened.
  var scopeName: String { "the scope\(place.map { " at \($0)" } ?? "")" }
  var bodyName: String { "the body of \(scopeName)" }

  var bodyDescription: String {
    if bodyIsForeign {
      """
      \(bodyName) (it waits on the main actor, or elsewhere outside the scope, and nobody advances \
      time)
      """
    } else if advances == .byHand, sleepers.count > 0 {
      "\(bodyName) (time advances by hand only, and nobody advances it)"
    } else {
      bodyName
    }
  }
}
