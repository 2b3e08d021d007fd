/// The hold in which a task runs, if any.
///
/// While the task that took it sleeps, or waits for time to advance, it lets go of the hold: it does
/// nothing that time would have to wait for.
struct VirtualHold: Sendable {
  @TaskLocal private static var held: VirtualHold?

  let scheduler: ObjectIdentifier
  let task: TaskID?

  static func isHeld(by task: TaskID?, _ scheduler: VirtualScheduler) -> Bool {
    guard let held, let task else { return false }
    return held.task == task && held.scheduler == ObjectIdentifier(scheduler)
  }

  static func with<R, E: Error>(
    _ scheduler: VirtualScheduler, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    let hold = VirtualHold(scheduler: ObjectIdentifier(scheduler), task: TaskID.current)
    // A hold within a hold is one: its task may let go of one only.
    if isHeld(by: hold.task, scheduler) { return try await body() }
    scheduler.change { state in
      _ = state.noteCaller(hold.task)
      state.holds += 1
    }
    defer { scheduler.change { $0.holds -= 1 } }
    let result: Result<R, E> = await $held.withValue(hold) { await outcome(body) }
    return try result.get()
  }

  /// `TaskLocal.withValue` loses the type of an error, so errors pass through it as values.
  private static func outcome<R, E: Error>(
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async -> Result<R, E> {
    do throws(E) { return .success(try await body()) } catch { return .failure(error) }
  }
}
