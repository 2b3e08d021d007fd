internal import Synchronization

/// What the last line left behind where lines go.
struct LineState: ~Copyable, Sendable {
  /// Whether it was written in part only.
  let isTorn = Atomic<Bool>(false)
  /// Whether nobody read.
  let isStalled = Atomic<Bool>(false)
}
