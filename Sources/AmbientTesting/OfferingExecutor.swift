// The protocols are the library's own affair still (SPI), so only where they are known to be so.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  internal import CVirtualTime
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

  /// The process's default executor, which offers each job to the scope whose turn it is.
  ///
  /// Every job without an executor of its own comes here: of bare tasks, detached ones and groups,
  /// those that Dispatch or a stream resumes, and those of `Task.yield`, which hands its job to the
  /// default executor itself. All else goes to the executor that was there before. No hook of the
  /// runtime's is set for it, since other libraries take one that is set for their own.
  private final class OfferingExecutor: TaskExecutor, SchedulingExecutor {
    typealias Base = TaskExecutor & SchedulingExecutor
    private let base: any Base

    init(_ base: any Base) { self.base = base }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Valid: a job is one pointer, which its enqueuer hands over.
      let pointer = unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
      if ambient_jobs_way() == ambient_jobs_by_executor, ambient_jobs_offer(pointer) { return }
      base.enqueue(job)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      base.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      base.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }

    static let shared = (Task.defaultExecutor as? any Base).map(OfferingExecutor.init)
  }

  private struct Executors: ExecutorFactory {
    static var mainExecutor: any MainExecutor { MainActor.executor }
    static var defaultExecutor: any TaskExecutor { OfferingExecutor.shared ?? Task.defaultExecutor }
  }

  /// Called when the program is loaded.
  @_cdecl("ambient_testing_replace_executor")
  func replaceDefaultExecutor() -> Bool {
    _createExecutors(factory: Executors.self)
    return OfferingExecutor.shared != nil
  }
#elseif os(Linux) && compiler(>=6.4)
  // Until then bare tasks are seen by a hook, which other libraries for tests take for their own.
  #warning("OfferingExecutor is written for Swift 6.3: check it with this compiler")
#endif
