extension Time {
  /// Starts a task that stays in the scope of virtual time, if there is one.
  ///
  /// Like `Task { }` elsewhere. In virtual time a bare `Task` runs on threads that the scope does
  /// not see; this one runs on the scope's executor, in turn.
  ///
  /// - Parameter name: What reports call the task.
  @discardableResult
  public static func task<R: Sendable>(
    name: String? = nil, fileID: String = #fileID, line: UInt = #line,
    _ body: sending @escaping () async throws -> R
  ) -> Task<R, any Error> {
    guard let scheduler = virtualInForce?.scheduler else {
      return Task(name: name) { try await body() }
    }
    let id = scheduler.noteTask(SourcePlace(fileID: fileID, line: line), name)
    let task = Task(name: name, executorPreference: scheduler) {
      defer { scheduler.withState { $0.children[id] = nil } }
      return try await body()
    }
    scheduler.withState { $0.children[id]?.cancel = { task.cancel() } }
    return task
  }

  /// Runs `body`, and lets virtual time wait for it.
  ///
  /// Wrap in it what the scope of virtual time cannot see: I/O, a hop to the main actor, a
  /// callback. Time does not pass meanwhile, unless the task that runs `body` itself sleeps, or the
  /// block of a ``timeout(after:fileID:line:_:)`` in it. If `body` awaits another child task that
  /// sleeps, time stands still for ever. On any other time it does nothing.
  public static func hold<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    guard let scheduler = virtualInForce?.scheduler else { return try await body() }
    return try await VirtualHold.with(scheduler, body)
  }
}

extension VirtualScheduler {
  fileprivate func noteTask(_ caller: SourcePlace, _ name: String?) -> UInt64 {
    let current = TaskID.current
    return withState { state in
      _ = state.noteCaller(current)
      let id = state.makeID()
      state.children[id] = VirtualState.Child(caller: caller, name: name)
      return id
    }
  }
}
