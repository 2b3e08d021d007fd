#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension VirtualScheduler {
  func sleep(
    until deadline: Duration, isLimit: Bool = false, caller: SourcePlace
  ) async throws {
    let (id, isBody, isForeign) = withState { state in
      let isBody = state.noteCaller(TaskID.current)
      return (state.makeID(), isBody, state.beginWait(isBody: isBody))
    }
    defer { endWait(id, isForeign: isForeign) }
    // One that swallows its cancellation and sleeps again must not run for ever in one go.
    if withState({ $0.isOver }) { await Task.yield() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        arm(id, until: deadline, isLimit, caller, isBody, continuation)
      }
    } onCancel: {
      cancel(id)
    }
  }

  func perform(
    _ goal: VirtualRequest.Goal, sleepers: Int = 0, caller: SourcePlace
  ) async throws -> Bool {
    let (id, isForeign) = withState { state in
      let isBody = state.noteCaller(TaskID.current)
      return (state.makeID(), state.beginWait(isBody: isBody))
    }
    defer { endWait(id, isForeign: isForeign) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        request(goal, sleepers, id, caller, continuation)
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Called in the task that sleeps: what it says of itself is not kept in the frame of its sleep,
  /// which must not outgrow a task's first memory. So it is not inlined into it, either.
  @inline(never)
  private func arm(
    _ id: UInt64, until deadline: Duration, _ isLimit: Bool, _ caller: SourcePlace,
    _ isBody: Bool, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let name = TaskID.currentName
    let releasesHold = VirtualHold.isHeld(by: TaskID.current, self)
    let isBackground = BackgroundTask.isCurrent
    let result = change { state -> Result<Void, any Error>? in
      if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
      if case .ended = state.phase {
        return .failure(VirtualTimeError.ended(caller: caller, sleep: deadline - state.now))
      }
      if state.isOver { return .failure(CancellationError()) }
      if deadline <= state.now { return .success(()) }
      let sleeper = Sleeper(
        caller: caller, task: name, start: state.now, deadline: deadline,
        date: state.wall(at: deadline))
      state.sleepers.insert(
        SleeperQueue.Waiting(
          sleeper: sleeper, continuation: continuation, isBody: isBody,
          releasedHold: releasesHold, isLimit: isLimit, isBackground: isBackground), id: id)
      state.note(sleeper)
      if isBody { state.bodySleeps = true }
      if releasesHold { state.holds -= 1 }
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  private func request(
    _ goal: VirtualRequest.Goal, _ sleepers: Int, _ id: UInt64, _ caller: SourcePlace,
    _ continuation: CheckedContinuation<Bool, any Error>
  ) {
    let releasesHold = VirtualHold.isHeld(by: TaskID.current, self)
    let error = change { state -> (any Error)? in
      if state.cancelled.remove(id) != nil { return CancellationError() }
      if state.isOver { return VirtualTimeError.ended(caller: caller, sleep: nil) }
      state.requests.append(
        VirtualRequest(
          id: id, caller: caller, goal: goal, sleepers: sleepers, releasedHold: releasesHold,
          start: state.now, continuation: continuation))
      if releasesHold { state.holds -= 1 }
      return nil
    }
    if let error { continuation.resume(throwing: error) }
  }

  private func cancel(_ id: UInt64) {
    let (sleep, request) = change { state -> (SleeperQueue.Waiting?, VirtualRequest?) in
      if let sleep = state.sleepers.remove(id) {
        state.noteWake(sleep)
        return (sleep, nil)
      }
      guard let index = state.requests.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return (nil, nil)
      }
      let request = state.requests.remove(at: index)
      if request.releasedHold { state.holds += 1 }
      return (nil, request)
    }
    // Whoever cancels may be anywhere; who waited here did not leave the scope.
    Arrival.own.with {
      sleep?.continuation.resume(throwing: CancellationError())
      request?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Called where the caller runs, as the wait began.
  ///
  /// A cancellation that comes between the wake and the return leaves its mark: take it away.
  private func endWait(_ id: UInt64, isForeign: Bool) {
    if isForeign { withState { $0.bodyWaitsForeign = false } }
    guard Task.isCancelled else { return }
    withState { _ = $0.cancelled.remove(id) }
  }
}

extension VirtualState {
  /// Whether whoever comes now to sleep is too late.
  var isOver: Bool {
    switch phase {
    case .running, .ending: false
    case .cancelled, .ended: true
    }
  }

  /// Whether the body waits from where the scope does not see it.
  fileprivate mutating func beginWait(isBody: Bool) -> Bool {
    guard isBody, bodyIsForeign else { return false }
    bodyWaitsForeign = true
    return true
  }

  fileprivate mutating func note(_ sleeper: Sleeper) {
    if sleeps.count == 2 * Self.keptSleeps { sleeps.removeFirst(Self.keptSleeps) }
    sleeps.append(sleeper)
  }
}
