// SPDX-License-Identifier: Apache-2.0

package import Ambient

/// The background tasks of scopes of virtual time.
enum BackgroundTasks {
  /// Whether a background task, or a task that such a task started, runs this code.
  @TaskLocal static var isCurrent = false
}

extension VirtualTime {
  package func start<R: Sendable>(
    _ name: String?, _ priority: TaskPriority?, _ caller: SourcePlace, isBackground: Bool,
    _ body: sending @escaping @isolated(any) () async throws -> R
  ) -> Task<R, any Error> {
    let (scheduler, isWithin) = (scheduler, isBackground || BackgroundTasks.isCurrent)
    let number = scheduler.begin(ScopeMembers.Child(caller, name, isBackground: isWithin))
    let mark = JobOrigin.start(number).begin()
    defer { mark.end() }
    let task = Task(name: name, executorPreference: scheduler, priority: priority) {
      do {
        let result: R
        if isWithin {
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
        // Outside the scope's lock, because the description is the program's code.
        let text = isCancelled ? nil : "\(error)"
        scheduler.withState { $0.endTask(number, error: text) }
        if isBackground, !isCancelled, !Task.isCancelled {
          scheduler.tell(.report(.taskFailed, Time.taskFailure(name, caller, error)))
        }
        throw error
      }
    }
    scheduler.withState { $0.startTask(number) { task.cancel() } }
    return task
  }

  package func start<R: Sendable>(
    _ name: String?, _ priority: TaskPriority?, _ caller: SourcePlace, isBackground: Bool,
    _ body: sending @escaping @isolated(any) () async -> R
  ) -> Task<R, Never> {
    let (scheduler, isWithin) = (scheduler, isBackground || BackgroundTasks.isCurrent)
    let number = scheduler.begin(ScopeMembers.Child(caller, name, isBackground: isWithin))
    let mark = JobOrigin.start(number).begin()
    defer { mark.end() }
    let task = Task(name: name, executorPreference: scheduler, priority: priority) {
      defer { scheduler.withState { $0.endTask(number, error: nil) } }
      guard isWithin else { return await body() }
      // The closure of the task is `@Sendable`, so there is no actor to stay on.
      return await BackgroundTasks.$isCurrent.withValue(true) { await body() }
    }
    scheduler.withState { $0.startTask(number) { task.cancel() } }
    return task
  }
}

extension VirtualScheduler {
  fileprivate func begin(_ child: ScopeMembers.Child) -> UInt64 {
    let current = TaskID.current
    return withState { $0.beginTask(child, by: current) }
  }
}
