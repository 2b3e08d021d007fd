// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import CVirtualTime

/// A sleep of `Task.sleep` or of a clock of Swift, which obeys a scope.
final class SystemSleep: Sendable {
  /// The runtime's job that ends the sleep. It runs once, after a cancellation too, since it also
  /// frees the sleep's memory.
  private let job: UnownedJob
  /// The sleeping task, an object of the runtime. Zero outside a task, and for a task of `async
  /// let` that the scope does not see.
  private let task: UInt
  /// Whether this object retains the task. A task of `async let` is in its parent's memory, so it
  /// cannot be retained: it must not be used once its sleep has left the queue of sleepers.
  let isRetained: Bool
  private let isCancellable: Bool
  /// Whether the task sleeps on an executor that the scope does not see.
  let isOutside: Bool
  /// The number of the task that awaits the sleeping one, a child of a task group or of
  /// `async let`; zero for a task that isn't a child.
  let parent: UInt64
  /// The number of the sleeping task; zero outside a task.
  let taskID: UInt64
  /// The return addresses of the functions that called `Task.sleep`, the nearest first.
  let callers: [UInt]

  /// A sleep of the current task.
  init(_ job: UnownedJob, isOutside: Bool) {
    self.job = job
    self.isOutside = isOutside
    // Valid: an `UnownedJob` is one pointer to an object that lives until the job has run. The job
    // of the deprecated form of `Task.sleep`, which no cancellation ends, belongs to no task.
    let pointer = unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
    isCancellable = ambient_job_task(pointer) != 0
    callers = withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.mostCallers) { callers in
      // Valid: only the elements that were written are read, before the block ends.
      let count = callers.baseAddress.map { ambient_sleep_callers(pointer, $0, callers.count) } ?? 0
      return Array(callers.prefix(count))
    }
    let object = ambient_current_task_object()
    taskID = object.map(ambient_job_task) ?? 0
    parent = object.flatMap(ambient_task_parent).map(ambient_job_task) ?? 0
    isRetained = object.map { !ambient_task_is_async_let($0) } ?? false
    // Valid: a task other than of `async let` is a native object, retained until `deinit`.
    if let object, isRetained { _ = Unmanaged<AnyObject>.fromOpaque(object).retain() }
    task = isRetained || !isOutside ? UInt(bitPattern: object) : 0
  }

  deinit {
    if let object, isRetained { Unmanaged<AnyObject>.fromOpaque(object).release() }
  }

  /// The number of callers that are kept. Three to five of them are functions of Swift.
  private static let mostCallers = 12

  private var object: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: task) }

  /// Whether a cancellation has ended the sleep. The scope gets no call about it.
  var isCancelled: Bool {
    guard isCancellable, let object else { return false }
    return ambient_job_is_cancelled(object)
  }

  /// The job, for a sleep that ends at once.
  var asJob: VirtualJob { VirtualJob(job: job, place: .pool) }

  /// Wakes the task, unless a cancellation has. Call it once, outside the scope's lock.
  func end() { job.runSynchronously(on: VirtualScheduler.pool) }

  /// Cancels the sleeping task, and so the sleep. Call it once, outside the scope's lock.
  ///
  /// - Parameter mayRun: Whether other threads may run the scope's tasks meanwhile, and so free the
  ///   memory of a task of `async let`. Such a task is then woken without a cancellation.
  func cancel(besideTasks mayRun: Bool) {
    if let object, isRetained || !mayRun { ambient_task_cancel(object) }
    end()
  }
}
