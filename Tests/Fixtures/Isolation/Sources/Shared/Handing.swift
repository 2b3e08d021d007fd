import Ambient
import Dispatch

nonisolated final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "inner")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// An executor that hands its jobs to another, so that the runtime never sees it as the current one.
nonisolated final class HandingExecutor: SerialExecutor {
  private let inner = QueueExecutor()

  func enqueue(_ job: consuming ExecutorJob) { inner.enqueue(job) }
}

actor Handed {
  private nonisolated let executor = HandingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var count = 0

  /// Counts in a timeout and in a scope; a check that asked the runtime for the executor would end
  /// the program.
  func work() async throws -> Int {
    try await Time.timeout(after: .seconds(600)) { self.count += 1 }
    await Log.withMetadata(["cart": 1]) {
      await Task.yield()
      self.count += 1
    }
    return count
  }
}
