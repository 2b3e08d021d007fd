// SPDX-License-Identifier: Apache-2.0

/// The executor that replaces the main actor's executor within scopes of virtual time.
///
/// When a task switches to the main actor, the runtime asks a hook
/// (`swift_task_getMainExecutor_hook`) for the main executor. On a thread that runs a scope's jobs,
/// the hook returns this executor, except in the synchronous block of an `AmbientScope.outside`. So
/// the job joins the scope's queue, in order with all other jobs, and later runs on the main queue.
/// One instance serves all scopes. It is never freed, since tasks refer to their executor without
/// retaining it.
final class ScopeMainExecutor: SerialExecutor {
  static let shared = ScopeMainExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if BareTasks.take(forMainActor: job) { return }
    // The scope has ended: enqueue on the main actor directly.
    VirtualTurn.suspended {
      _ = Task.detached { @MainActor in
        job.runSynchronously(on: MainActor.sharedUnownedExecutor)
      }
    }
  }
}
