/// Replaces the main actor's executor within scopes of virtual time.
///
/// At each hop, the runtime asks a hook (`swift_task_getMainExecutor_hook`) for the main executor;
/// in a scope's turn, the hook returns this one. The job therefore joins the scope's queue, in
/// order with all other jobs, and later runs on the main queue. There is one instance for all
/// scopes; it is never freed, since tasks refer to their executor without retaining it.
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
