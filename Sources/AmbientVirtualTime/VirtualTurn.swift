// SPDX-License-Identifier: Apache-2.0

internal import CVirtualTime

/// A period in which one thread runs the jobs of a scope of virtual time.
///
/// During this period, the thread is marked with the scope's scheduler, so that hooks know which
/// scope starts a task.
struct VirtualTurn {
  private let before: UnsafeMutableRawPointer?

  init(of scheduler: VirtualScheduler) {
    before = ambient_scope_load()
    // Valid until the turn ends, because the code that begins the turn retains the scheduler.
    ambient_scope_store(Unmanaged.passUnretained(scheduler).toOpaque())
  }

  func end() { ambient_scope_store(before) }

  /// Whether this thread currently runs the jobs of the scheduler's scope. Does not retain the
  /// scheduler.
  static func isOf(_ scheduler: VirtualScheduler) -> Bool {
    ambient_scope_load() == Unmanaged.passUnretained(scheduler).toOpaque()
  }

  /// The scheduler of the scope whose jobs this thread currently runs; nil if it runs none.
  static var current: VirtualScheduler? {
    ambient_scope_load().map(scheduler)
  }

  /// The scheduler to which `mark`, the mark of a thread, points.
  static func scheduler(_ mark: UnsafeMutableRawPointer) -> VirtualScheduler {
    // Valid: a thread is marked only while it runs a scope's jobs, and the code that marks the
    // thread retains the scheduler.
    Unmanaged<VirtualScheduler>.fromOpaque(mark).takeUnretainedValue()
  }

  /// Removes the thread's mark while `body` runs, so that a task that `body` starts or resumes does
  /// not become part of the scope.
  static func suspended<R>(_ body: () -> R) -> R {
    let mark = ambient_scope_load()
    ambient_scope_store(nil)
    defer { ambient_scope_store(mark) }
    return body()
  }
}
