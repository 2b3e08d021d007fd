package import Ambient

/// The background tasks of scopes of virtual time.
enum BackgroundTasks {
  /// Whether a background task, or a task that such a task started, runs this code.
  @TaskLocal static var isCurrent = false
}

extension VirtualTime {
  package func start<R: Sendable>(
    _ child: VirtualChild, _ body: sending @escaping @isolated(any) () async throws -> R
  ) -> Task<R, any Error> {
    let (scheduler, isBackground) = (scheduler, child.isBackground || BackgroundTasks.isCurrent)
    let number = scheduler.begin(child, isBackground: isBackground)
    let mark = JobOrigin.start(number).begin()
    defer { mark.end() }
    let task = Task(name: child.name, executorPreference: scheduler, priority: child.priority) {
      do {
        let result: R
        if isBackground {
          // The closure of the task is `@Sendable`, so there is no actor to stay on.
          result = try await BackgroundTasks.$isCurrent.withValue(true) { try await body() }
        } else {
          result = try await body()
        }
        scheduler.withState { $0.endTask(number, error: nil) }
        return result
      } catch {
        // The error is recorded for reports, because possibly no code awaits the task.
        let isCancelled = error is CancellationError
        scheduler.withState { $0.endTask(number, error: isCancelled ? nil : "\(error)") }
        if child.isBackground, !isCancelled, !Task.isCancelled {
          scheduler.tell(.report(.taskFailed, Time.taskFailure(child.name, child.caller, error)))
        }
        throw error
      }
    }
    scheduler.withState { $0.startTask(number) { task.cancel() } }
    return task
  }

  package func start<R: Sendable>(
    _ child: VirtualChild, _ body: sending @escaping @isolated(any) () async -> R
  ) -> Task<R, Never> {
    let (scheduler, isBackground) = (scheduler, child.isBackground || BackgroundTasks.isCurrent)
    let number = scheduler.begin(child, isBackground: isBackground)
    let mark = JobOrigin.start(number).begin()
    defer { mark.end() }
    let task = Task(name: child.name, executorPreference: scheduler, priority: child.priority) {
      defer { scheduler.withState { $0.endTask(number, error: nil) } }
      guard isBackground else { return await body() }
      // The closure of the task is `@Sendable`, so there is no actor to stay on.
      return await BackgroundTasks.$isCurrent.withValue(true) { await body() }
    }
    scheduler.withState { $0.startTask(number) { task.cancel() } }
    return task
  }
}

extension VirtualScheduler {
  fileprivate func begin(_ child: VirtualChild, isBackground: Bool) -> UInt64 {
    let current = TaskID.current
    let member = ScopeMembers.Child(child.caller, child.name, isBackground: isBackground)
    return withState { $0.beginTask(member, by: current) }
  }
}
