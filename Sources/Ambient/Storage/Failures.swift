internal import Synchronization

/// Counts what a service could not do, and reports the first failure and the recovery.
final class Failures: Sendable {
  private let source: String
  private let total = Atomic<Int>(0)
  private let isFailing = Atomic<Bool>(false)

  init(source: String) { self.source = source }

  /// How often the service failed.
  var count: Int { total.load(ordering: .relaxed) }

  func noteFailure(_ message: @autoclosure () -> String) {
    total.add(1, ordering: .relaxed)
    if !isFailing.exchange(true, ordering: .relaxed) {
      Diagnostics.report(Diagnostic(.writeFailed, source: source, message()))
    }
  }

  func noteSuccess() {
    if isFailing.exchange(false, ordering: .relaxed) {
      Diagnostics.report(
        Diagnostic(.recovered, source: source, "works again; \(count) failed so far."))
    }
  }
}
