// SPDX-License-Identifier: Apache-2.0

internal import CAmbient
internal import Synchronization

/// Reports, once each, two faults that make contexts misbehave: the process is a fork that
/// continues without executing another program, or contains a second copy of this package.
enum ProcessWarnings {
  private static let isChecked = Atomic<Bool>(false)

  /// Starts to count forks, and looks for a second copy; called at the first use of a context.
  static func check() {
    guard !isChecked.exchange(true, ordering: .relaxed) else { return }
    _ = Forks.count
    reportSecondCopy()
  }

  /// Reports that this process is a fork, if it is one.
  @inline(__always)
  static func checkFork() {
    if ambient_is_forked() { reportFork() }
  }

  @inline(never)
  private static func reportFork() {
    guard ambient_take_fork() else { return }
    Diagnostics.report(.fork, source: "fork", textOfFork)
  }

  static var textOfFork: String {
    """
    this process was forked without executing a program, so locks of the parent's other threads \
    stay locked: a scope or a log may block forever, or crash the program. Fork before starting \
    threads, or execute a program at once.
    """
  }

  /// Reports a copy of the package that was loaded before this one. A program and a dynamic library
  /// that it uses may each have a copy.
  private static func reportSecondCopy() {
    let size = 4_096
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * size) { paths in
      // Valid: each half is written with its terminating zero, and read before the block ends.
      guard let earlier = paths.baseAddress,
        ambient_find_earlier_copy(earlier, earlier + size, size)
      else { return }
      // Does not read `Diagnostics.instance`. The program may be about to assign its own
      // diagnostics, and a read would make that assignment a late one.
      (Diagnostics.context.assigned ?? Diagnostics()).report(
        Diagnostic(
          .secondCopy, source: "second copy", text(ofCopies: name(earlier), name(earlier + size))))
    }
  }

  static func text(ofCopies first: String, _ second: String) -> String {
    """
    this process has two copies of Ambient, in \(first) and in \(second), each with its own \
    instances. Link one dynamic library that contains it, or assign in both copies.
    """
  }

  private static func name(_ path: UnsafePointer<CChar>) -> String {
    path.pointee == 0 ? "the program" : String(cString: path)
  }
}
