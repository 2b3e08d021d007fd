// SPDX-License-Identifier: Apache-2.0

internal import Ambient

extension VirtualScheduler {
  func sleep(
    until deadline: Duration, isLimit: Bool = false, caller: SourcePlace
  ) async throws {
    let wait = withState { $0.beginWait(of: TaskID.current) }
    let isOver: Bool
    var isArmed = true
    do {
      defer { end(wait) }
      isOver =
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            isArmed = arm(wait, until: deadline, isLimit, caller, continuation)
          }
        } onCancel: {
          cancel(wait)
        } == false
    }
    if isOver {
      try await sleepForReal(until: deadline, caller)
    } else if !isArmed {
      try await Time.suspendOnce()
    }
  }

  func perform(
    _ goal: VirtualRequest.Goal, sleepers: Int = 0, caller: SourcePlace
  ) async throws -> Bool {
    let wait = withState { $0.beginWait(of: TaskID.current) }
    defer { end(wait) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        request(goal, sleepers, wait, caller, continuation)
      }
    } onCancel: {
      cancel(wait)
    }
  }

  /// Registers the sleep in the scope's state. Must be called in the sleeping task. The method is
  /// not inlined: its local values would make the frame of `sleep` too large for the first block of
  /// a task's memory.
  @inline(never)
  private func arm(
    _ wait: VirtualState.Wait, until deadline: Duration, _ isLimit: Bool, _ caller: SourcePlace,
    _ continuation: CheckedContinuation<Bool, any Error>
  ) -> Bool {
    let task = (id: TaskID.current, name: TaskID.currentName)
    let releasesHold = VirtualHold.isHeld(by: task.id, self)
    let isBackground = BackgroundTasks.isCurrent
    let result = change {
      $0.sleep(
        wait, until: deadline, isLimit: isLimit, caller: caller, task: task,
        releasesHold: releasesHold, isBackground: isBackground, continuation)
    }
    if let result { continuation.resume(with: result) }
    return result == nil
  }

  private func request(
    _ goal: VirtualRequest.Goal, _ sleepers: Int, _ wait: VirtualState.Wait,
    _ caller: SourcePlace, _ continuation: CheckedContinuation<Bool, any Error>
  ) {
    let releasesHold = VirtualHold.isHeld(by: TaskID.current, self)
    let error = change {
      $0.request(
        goal, sleepers: sleepers, wait, caller: caller, releasesHold: releasesHold, continuation)
    }
    if let error { continuation.resume(throwing: error) }
  }

  private func cancel(_ wait: VirtualState.Wait) {
    let continuation = change { $0.cancel(wait.id) }
    // The resumed job is marked as the scope's own, because its task is still in the scope, even if
    // the code that cancels the task is outside.
    JobOrigin.own.with { continuation?.resume(throwing: CancellationError()) }
  }

  /// Records the end of a wait. Must be called in the task that waited, because this method reads
  /// `Task.isCancelled`.
  private func end(_ wait: VirtualState.Wait) {
    let isCancelled = Task.isCancelled
    if wait.isForeign || isCancelled {
      withState { $0.endWait(wait, isCancelled: isCancelled) }
    }
  }

  /// Stores a sleep of `Task.sleep`. Must be called in the sleeping task. Returns false if the
  /// scope is over, and the task must sleep in real time.
  func sleep(_ job: UnownedJob, for duration: Duration) -> Bool {
    let task = (id: TaskID.current, name: TaskID.currentName)
    let sleep = SystemSleep(job, isOutside: !VirtualTurn.isOf(self))
    let isBackground = BackgroundTasks.isCurrent
    return change { $0.sleep(sleep, for: duration, task: task, isBackground: isBackground) }
  }

  /// Sleeps in real time, because the scope has ended. If the sleep returned or threw at once
  /// instead, a loop that sleeps would spin.
  @inline(never)
  private func sleepForReal(until deadline: Duration, _ caller: SourcePlace) async throws {
    let (rest, isFirst) = withState { $0.beginLateSleep(until: deadline) }
    if isFirst {
      Diagnostics.report(
        .leftover, source: "Time.virtual",
        """
        \(caller) sleeps for \(rest) in a scope of virtual time that has ended: from now on, sleeps \
        in it last as long as they say. Await the task in the scope's body, or cancel it there; \
        start tasks that outlive the scope in AmbientScope.outside { }.
        """)
    }
    try await DefaultTime().sleep(for: rest)
  }
}
