internal import Synchronization

/// Counts what a service could not do, and reports the first failure and the recovery.
final class Failures: Sendable {
  let source: String
  private let total = Atomic<Int>(0)
  private let failing = Atomic<Bool>(false)
  /// How many of them the service has said itself.
  private let told = Atomic<Int>(0)
  private let notice = Guarded<(@Sendable (Int) -> [UInt8])?>(nil)

  init(source: String) { self.source = source }

  /// How often the service failed.
  var count: Int { total.load(ordering: .relaxed) }

  /// Whether the service failed when it was last used.
  @inline(__always)
  var isFailing: Bool { failing.load(ordering: .relaxed) }

  func noteFailure(_ message: @autoclosure () -> String) {
    total.add(1, ordering: .relaxed)
    noteTrouble(.writeFailed, message())
  }

  /// Reports a loss that does not tell whether the service works now.
  func noteLoss(of count: Int, _ message: String) {
    total.add(count, ordering: .relaxed)
    Diagnostics.report(Diagnostic(.writeFailed, source: source, message))
  }

  /// Reports what nothing was lost by yet.
  func noteTrouble(
    _ kind: Diagnostic.Kind = .writeFailed, _ message: @autoclosure () -> String
  ) {
    if !failing.exchange(true, ordering: .relaxed) {
      Diagnostics.report(Diagnostic(kind, source: source, message()))
    }
  }

  /// Reports that it works again.
  func noteSuccess() {
    guard failing.exchange(false, ordering: .relaxed) else { return }
    Diagnostics.report(
      Diagnostic(.recovered, source: source, "works again; \(count) failed so far."))
  }

  /// How much was lost of which the service has not said so itself.
  var untold: Int { count - told.load(ordering: .relaxed) }

  /// What says that in the service's own words, if it has some.
  func notice(of lost: Int) -> [UInt8]? { notice.withLock { $0 }?(lost) }

  /// Notes that so much was told.
  func noteTold(_ lost: Int) { told.add(lost, ordering: .relaxed) }

  /// Lets the service say in its own words how much was lost.
  func tellLoss(_ notice: @escaping @Sendable (Int) -> [UInt8]) {
    self.notice.withLock { $0 = notice }
  }
}
