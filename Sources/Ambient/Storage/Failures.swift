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

  /// Reports what nothing was lost by yet.
  func noteTrouble(
    _ kind: Diagnostic.Kind = .writeFailed, _ message: @autoclosure () -> String
  ) {
    if !failing.exchange(true, ordering: .relaxed) {
      Diagnostics.report(Diagnostic(kind, source: source, message()))
    }
  }

  /// Reports that it works again.
  ///
  /// - Returns: What says in the service's own words how much was lost meanwhile, if it has some.
  @discardableResult
  func noteSuccess() -> [UInt8]? {
    guard failing.exchange(false, ordering: .relaxed) else { return nil }
    Diagnostics.report(
      Diagnostic(.recovered, source: source, "works again; \(count) failed so far."))
    let lost = count - told.exchange(count, ordering: .relaxed)
    return lost > 0 ? notice.withLock { $0 }?(lost) : nil
  }

  /// Lets the service say in its own words how much was lost.
  func tellLoss(_ notice: @escaping @Sendable (Int) -> [UInt8]) {
    self.notice.withLock { $0 = notice }
  }
}
