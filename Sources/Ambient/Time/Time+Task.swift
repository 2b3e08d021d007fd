// SPDX-License-Identifier: Apache-2.0

extension Time {
  /// Starts a task that stays in the scope of virtual time, if there is one.
  ///
  /// Outside virtual time, it is a plain `Task` with the isolation of the surrounding code: in an
  /// actor, it may use the actor's state; on the main actor, it runs there. In virtual time, a bare
  /// `Task` may run on threads that the scope does not see. A task that this method starts runs in
  /// the scope, which runs the jobs of its tasks one at a time, in the order in which they become
  /// ready, unless it explores schedules. Jobs on the main actor belong to the scope only in a test
  /// program, and jobs on an actor with its own executor never do. Reports contain the task's name.
  ///
  /// Ambient cannot know whether other code awaits the task's value. Therefore an error of the body
  /// appears only in the report of a scope that is in a deadlock, stalled, or busy for a minute or
  /// more.
  ///
  /// - Parameters:
  ///   - name: The task's name in reports.
  ///   - priority: The task's priority; ignored in virtual time, which runs tasks in order.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The task's work, with the isolation of the surrounding code.
  @discardableResult
  public static func task<R: Sendable>(
    name: String? = nil, priority: TaskPriority? = nil,
    fileID: String = #fileID, line: UInt = #line,
    @_inheritActorContext @_implicitSelfCapture _ body:
      sending @escaping @isolated(any) () async throws -> R
  ) -> Task<R, any Error> {
    guard let scope = scopeInForce else {
      return Task(name: name, priority: priority, operation: body)
    }
    return scope.start(
      name, priority, SourcePlace(fileID: fileID, line: line), isBackground: false, body)
  }

  /// Starts a task that stays in the scope of virtual time, if there is one, and whose body does
  /// not throw, like the form for a body that does.
  ///
  /// - Parameters:
  ///   - name: The task's name in reports.
  ///   - priority: The task's priority; ignored in virtual time, which runs tasks in order.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The task's work, with the isolation of the surrounding code.
  @discardableResult
  public static func task<R: Sendable>(
    name: String? = nil, priority: TaskPriority? = nil,
    fileID: String = #fileID, line: UInt = #line,
    @_inheritActorContext @_implicitSelfCapture _ body:
      sending @escaping @isolated(any) () async -> R
  ) -> Task<R, Never> {
    guard let scope = scopeInForce else {
      return Task(name: name, priority: priority, operation: body)
    }
    return scope.start(
      name, priority, SourcePlace(fileID: fileID, line: line), isBackground: false, body)
  }

  /// Starts a service task that ends with the scope of virtual time, if there is one.
  ///
  /// Use it for endless repetition, such as a heartbeat or a cache that cleans itself. It differs
  /// from `Time.task` in these ways. When the scope's body has ended, this task and the tasks that
  /// it started by `Time.task` or this method are cancelled, and their sleeps are not reported; a
  /// bare `Task` is not cancelled. `VirtualTime.run(limit:)` does not wait for it. While only
  /// timeouts and background tasks sleep, time passes to a timeout by itself only after the scope's
  /// `patience`. If the body throws an error other than `CancellationError`, and the task was not
  /// cancelled, the error is reported: to `Diagnostics`, or as an issue of a test in virtual time.
  /// A cancellation right after the error may hide it.
  ///
  /// - Parameters:
  ///   - name: The task's name in reports.
  ///   - priority: The task's priority; ignored in virtual time, which runs tasks in order.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The task's work, with the isolation of the surrounding code.
  @discardableResult
  public static func backgroundTask<R: Sendable>(
    name: String? = nil, priority: TaskPriority? = nil,
    fileID: String = #fileID, line: UInt = #line,
    @_inheritActorContext @_implicitSelfCapture _ body:
      sending @escaping @isolated(any) () async throws -> R
  ) -> Task<R, any Error> {
    let caller = SourcePlace(fileID: fileID, line: line)
    guard let scope = scopeInForce else {
      let task = Task(name: name, priority: priority, operation: body)
      // Another task awaits the error, since a closure around `body` would not begin on the actor
      // of `body`.
      Task(priority: priority) {
        guard case .failure(let error) = await task.result, !task.isCancelled,
          !(error is CancellationError)
        else { return }
        Diagnostics.report(
          .taskFailed, source: "Time.backgroundTask", taskFailure(name, caller, error))
      }
      return task
    }
    return scope.start(name, priority, caller, isBackground: true, body)
  }

  /// Starts a service task that ends with the scope of virtual time, if there is one, and whose
  /// body does not throw, like the form for a body that does.
  ///
  /// - Parameters:
  ///   - name: The task's name in reports.
  ///   - priority: The task's priority; ignored in virtual time, which runs tasks in order.
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The task's work, with the isolation of the surrounding code.
  @discardableResult
  public static func backgroundTask<R: Sendable>(
    name: String? = nil, priority: TaskPriority? = nil,
    fileID: String = #fileID, line: UInt = #line,
    @_inheritActorContext @_implicitSelfCapture _ body:
      sending @escaping @isolated(any) () async -> R
  ) -> Task<R, Never> {
    guard let scope = scopeInForce else {
      return Task(name: name, priority: priority, operation: body)
    }
    return scope.start(
      name, priority, SourcePlace(fileID: fileID, line: line), isBackground: true, body)
  }

  /// Runs `body`, and holds virtual time while `body` runs.
  ///
  /// Call this method around calls that the scope of virtual time cannot see: I/O, a hop to the
  /// main actor, a callback. Virtual time stands still until `body` ends, with one exception: time
  /// passes while the task that runs `body`, or the block of a ``timeout(after:fileID:line:_:)``
  /// within `body`, sleeps by `Time` or awaits an advance of time. If `body` awaits any other task
  /// that sleeps by `Time`, that sleep does not end: time stands still until the scope is stalled,
  /// after its limit of real time. Outside virtual time, the method only runs `body`.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for reports; the compiler supplies it.
  ///   - line: The line of the call, for reports; the compiler supplies it.
  ///   - body: The call that the scope cannot see; its result is returned, its error is thrown.
  public static func hold<R, E: Error>(
    fileID: String = #fileID, line: UInt = #line,
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    guard let scope = scopeInForce else { return try await body() }
    return try await scope.hold(SourcePlace(fileID: fileID, line: line), #isolation, body)
  }
}

extension Time {
  /// The report of a background task that threw an error.
  package static func taskFailure(
    _ name: String?, _ caller: SourcePlace, _ error: any Error
  ) -> String {
    "the background task\(name.map { " “\($0.escaped)”" } ?? "") at \(caller) threw \(error)"
  }
}
