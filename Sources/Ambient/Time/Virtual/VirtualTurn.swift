internal import CVirtualTime

/// A stretch in which a thread runs the jobs of one scope, and no other thread does.
///
/// The thread is marked with the scope, so that the hooks know whose task starts another.
struct VirtualTurn {
  private let before: UnsafeMutableRawPointer?

  init(of scheduler: VirtualScheduler) {
    before = ambient_scope_load()
    // Valid until the turn ends: the code that takes it holds the scheduler for as long.
    ambient_scope_store(Unmanaged.passUnretained(scheduler).toOpaque())
  }

  func end() { ambient_scope_store(before) }

  /// Whether it is the scope's turn on this thread; counts no reference.
  static func isOf(_ scheduler: VirtualScheduler) -> Bool {
    ambient_scope_load() == Unmanaged.passUnretained(scheduler).toOpaque()
  }

  /// The scope whose turn it is on this thread.
  static var current: VirtualScheduler? {
    ambient_scope_load().map(scheduler)
  }

  /// The scheduler that the mark of this thread is.
  static func scheduler(_ mark: UnsafeMutableRawPointer) -> VirtualScheduler {
    // Valid: only a turn marks a thread, for as long as it holds the scheduler.
    Unmanaged<VirtualScheduler>.fromOpaque(mark).takeUnretainedValue()
  }

  /// Runs `body`, which starts or resumes what is not of the scope.
  static func suspended<R>(_ body: () -> R) -> R {
    let mark = ambient_scope_load()
    ambient_scope_store(nil)
    defer { ambient_scope_store(mark) }
    return body()
  }
}
