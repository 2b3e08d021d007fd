internal import Synchronization

/// Tells an atexit(3) handler whether the process that ends is the one that asked for its work.
///
/// A fork inherits its parent's handlers. In a fork a thread that the fork does not have may have
/// held a lock, also one of the Swift runtime, which takes locks at the first use of a generic
/// type. A fork that calls exit(3) would then wait in the handler for ever. Therefore a handler reads
/// ``isOwn`` first, which takes no lock, and returns if it is false.
struct ExitRequest: ~Copyable {
  /// The count of forks in the process that called `make()` last; the highest value before that.
  private let forks = Atomic<UInt32>(.max)

  /// Has this process, but no process that is forked from it, do the work at its exit.
  func make() { forks.store(Forks.count, ordering: .relaxed) }

  /// Whether this process called `make()`.
  var isOwn: Bool { forks.load(ordering: .relaxed) == Forks.known }
}
