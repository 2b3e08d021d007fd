// SPDX-License-Identifier: Apache-2.0

/// A task executor for jobs that may block their thread: each job runs on a thread of its own.
///
/// If the system cannot start a thread, the job never runs. It does not run on the calling thread,
/// which may wait for the job until a deadline, and then reports it as late.
final class BlockingExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = SystemThread.startIfPossible { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
