/// Replaces the main actor's executor within scopes of virtual time.
///
/// The runtime asks for the main executor at each hop (`swift_task_getMainExecutor_hook`), and in a
/// scope's turn gets this one. So the job joins the scope's queue, in order with all others, and
/// runs on the main queue in its turn. There is one instance for all scopes; it is never freed,
/// since tasks refer to their executor without retaining it.
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
