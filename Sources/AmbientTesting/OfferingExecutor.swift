// The protocols are the library's own affair still (SPI), so only where they are known to be so.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  internal import CVirtualTime
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

  /// The process's default executor, which offers each job to the scope whose turn it is.
  ///
  /// `Task.yield` hands its job to the default executor itself, past the hook that sees all others.
  /// A bare task that has been in an actor would go through the pool there, and the scope would
  /// take it for suspended. All else goes to the executor that was there before.
  private final class OfferingExecutor: TaskExecutor, SchedulingExecutor {
    typealias Base = TaskExecutor & SchedulingExecutor
    private let base: any Base

    init(_ base: any Base) { self.base = base }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // Valid: a job is one pointer, and whoever enqueues it hands it over.
      if ambient_hooks_offer(unsafeBitCast(job, to: UnsafeMutableRawPointer.self)) { return }
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
  func replaceDefaultExecutor() { _createExecutors(factory: Executors.self) }
#endif
