// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Tells an atexit(3) handler whether the exiting process itself called ``make()``.
///
/// A fork inherits the handlers of its parent, and locks that threads held which the fork does not
/// have. Some are locks of the Swift runtime, which it takes at the first use of a generic type. A
/// fork that calls exit(3) could therefore wait in a handler for ever. So each handler first reads
/// ``isOwn``, which takes no lock, and returns if that is false.
struct ExitRequest: ~Copyable {
  /// The count of forks in the process that called `make()` last; the highest value before that.
  private let forks = Atomic<UInt32>(.max)

  /// Has this process, but no process that is forked from it, do the work at its exit.
  func make() { forks.store(Forks.count, ordering: .relaxed) }

  /// Whether this process called `make()`.
  var isOwn: Bool { forks.load(ordering: .relaxed) == Forks.known }
}
