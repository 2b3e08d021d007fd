// SPDX-License-Identifier: Apache-2.0

// The protocols of executors are still SPI, so this file is compiled only with compiler versions
// that are known to have them.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  internal import Ambient
  internal import AmbientVirtualTime
  internal import CVirtualTime
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

  /// The process's default executor, which offers each job to the scopes of virtual time.
  ///
  /// Every job without a custom executor is enqueued here: jobs of bare tasks, detached tasks and
  /// task groups, jobs of tasks that Dispatch or a stream resumes, and jobs of tasks that call
  /// `Task.yield`, which enqueues directly on the default executor. Jobs that no scope takes go to
  /// the previous executor. The job that ends a `Task.sleep` also comes here, in the sleeping task,
  /// and goes to the scope that the task's clocks show. The runtime's hook for enqueued jobs is not
  /// used, since other libraries mistake any such hook for their own hook.
  private final class JobOfferingExecutor: TaskExecutor, SchedulingExecutor {
    typealias Base = TaskExecutor & SchedulingExecutor
    private let base: any Base

    init(_ base: any Base) { self.base = base }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Valid: an `UnownedJob` consists of one pointer to the job.
      let pointer = unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
      if ambient_jobs_way() == ambient_jobs_by_executor, ambient_jobs_offer(pointer) { return }
      base.enqueue(job)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      guard SystemClocks.areShown else {
        return base.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      }
      let job = UnownedJob(job)
      if let delay = delay as? Duration, SystemClocks.put(job, toSleepFor: delay) { return }
      // The executor adds the delay to a reading of the clock.
      RealTime.$isInForce.withValue(true) {
        base.enqueue(ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      guard SystemClocks.areShown else {
        return base.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
      }
      // By the clock that the task reads; the system's may be far from the instant.
      enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
    }

    static let shared = (Task.defaultExecutor as? any Base).map(JobOfferingExecutor.init)
  }

  private struct Executors: ExecutorFactory {
    static var mainExecutor: any MainExecutor { MainActor.executor }
    static var defaultExecutor: any TaskExecutor {
      JobOfferingExecutor.shared ?? Task.defaultExecutor
    }
  }

  /// Makes `JobOfferingExecutor` the process's default executor, and returns whether that
  /// succeeded. Called when the program is loaded.
  @_cdecl("ambient_testing_replace_executor")
  func replaceDefaultExecutor() -> Bool {
    _createExecutors(factory: Executors.self)
    return JobOfferingExecutor.shared != nil
  }
#elseif os(Linux) && compiler(>=6.4)
  // With later compiler versions, `JobOfferingExecutor` is not compiled, and scopes of virtual time
  // detect bare tasks (`Task { }`) by the runtime's hook for enqueued jobs. Other test libraries
  // that use this hook mistake any function that is set as the hook for their own.
  #warning("JobOfferingExecutor is written for Swift 6.3: check it with this compiler")
#endif
