internal import Synchronization

/// Counts what a service could not do, and reports the first failure and the recovery.
final class Failures: Sendable {
  private let source: String
  private let total = Atomic<Int>(0)
  private let failing = Atomic<Bool>(false)

  init(source: String) { self.source = source }

  /// How often the service failed.
  var count: Int { total.load(ordering: .relaxed) }

  /// Whether the service failed when it was last used.
  @inline(__always)
  var isFailing: Bool { failing.load(ordering: .relaxed) }

  func noteFailure(_ message: @autoclosure () -> String) {
    total.add(1, ordering: .relaxed)
    noteTrouble(message())
  }

  /// Reports what nothing was lost by yet.
  func noteTrouble(_ message: @autoclosure () -> String) {
    if !failing.exchange(true, ordering: .relaxed) {
      Diagnostics.report(Diagnostic(.writeFailed, source: source, message()))
    }
  }

  func noteSuccess() {
    if failing.exchange(false, ordering: .relaxed) {
      Diagnostics.report(
        Diagnostic(.recovered, source: source, "works again; \(count) failed so far."))
    }
  }
}
