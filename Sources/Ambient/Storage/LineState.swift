internal import Synchronization

/// The outcome of the previous write of a line.
struct LineState: ~Copyable, Sendable {
  /// Whether the line was written only in part.
  let isTorn = Atomic<Bool>(false)
  /// Whether the write ended because no reader took the line in time.
  let isStalled = Atomic<Bool>(false)
}
