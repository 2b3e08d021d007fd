// SPDX-License-Identifier: Apache-2.0

package import Ambient
internal import Synchronization

/// A hold, and the task that took it. Virtual time does not advance while the hold is open.
///
/// The task releases the hold while it sleeps or waits for an advance, because time need not wait
/// for a task that waits for time.
final class VirtualHold: Sendable {
  @TaskLocal private static var held: VirtualHold?

  private let scheduler: ObjectIdentifier
  private let task: UInt64
  private let hasEnded = Atomic<Bool>(false)

  private init(_ scheduler: VirtualScheduler, _ task: UInt64) {
    self.scheduler = ObjectIdentifier(scheduler)
    self.task = task
  }

  static func isHeld(by task: UInt64, _ scheduler: VirtualScheduler) -> Bool {
    guard let held, task != 0 else { return false }
    return held.task == task && held.scheduler == ObjectIdentifier(scheduler)
  }

  /// Whether the current task, or one that started it, holds the scope's time.
  static func isOpen(in scheduler: VirtualScheduler) -> Bool {
    guard let held, held.scheduler == ObjectIdentifier(scheduler) else { return false }
    return !held.hasEnded.load(ordering: .acquiring)
  }

  static func with<R, E: Error>(
    _ scheduler: VirtualScheduler, _ caller: SourcePlace, _ isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    let task = TaskID.current
    // Nested holds of one task count as one hold, because a sleep releases only one hold.
    if isHeld(by: task, scheduler) { return try await body() }
    let hold = VirtualHold(scheduler, task)
    let id = scheduler.change { $0.beginHold(caller, of: task) }
    defer {
      hold.hasEnded.store(true, ordering: .releasing)
      scheduler.change { $0.endHold(id) }
    }
    let result: Result<R, E> = await $held.withValue(hold) {
      _ = isolation  // so that `body` stays on the caller's actor, as in `Bindings.enter`
      // `TaskLocal.withValue` rethrows an error without its static type, so the error is returned
      // in a Result.
      do throws(E) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs `body` in the current task, which is a child of the task that took a hold. While `body`
  /// runs, the child's sleeps release the hold.
  ///
  /// The parent only awaits the child, and so does not need the hold in the meantime.
  static func inherited<R>(
    _ scheduler: VirtualScheduler, _ isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    let hold = VirtualHold(scheduler, TaskID.current)
    return try await $held.withValue(hold) {
      _ = isolation
      return try await body()
    }
  }
}

extension VirtualTime {
  package func hold<R, E: Error>(
    _ caller: SourcePlace, _ isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await VirtualHold.with(scheduler, caller, isolation, body)
  }

  package var isHeldByCurrentTask: Bool { VirtualHold.isHeld(by: TaskID.current, scheduler) }

  package func inheritHold<R>(
    _ isolation: isolated (any Actor)?, _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R {
    try await VirtualHold.inherited(scheduler, isolation, body)
  }
}
