internal import Synchronization

/// A value behind a lock whose hand-over the thread sanitizer can see.
///
/// The sanitizer does not see the slow path of the standard library's `Mutex`, which is not
/// instrumented, and reports races that are none, in the programs of whoever uses us too. A load
/// and a store of our own show it who waited for whom; they cost less than a nanosecond.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handOver = Atomic<Bool>(false)

  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Calls `body` with the value while no other thread has it; `body` must not run user code.
  @inline(__always)
  package func withLock<R, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try mutex.withLock { (value: inout sending Value) throws(E) -> sending R in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(false, ordering: .releasing) }
      return try body(&value)
    }
  }
}
