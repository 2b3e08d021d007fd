// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Counts a service's failures. Reports the first failure after a time without failures, and the
/// recovery.
final class Failures: Sendable {
  let source: String
  private let total = Atomic<Int>(0)
  private let failing = Atomic<Bool>(false)

  init(source: String) { self.source = source }

  /// The number of failures so far.
  var count: Int { total.load(ordering: .relaxed) }

  /// Whether the service failed when it was last used.
  @inline(__always)
  var isFailing: Bool { failing.load(ordering: .relaxed) }

  func noteFailure(_ message: @autoclosure () -> String) {
    total.add(1, ordering: .relaxed)
    noteTrouble(.writeFailed, message())
  }

  /// Reports a loss that says nothing about whether the service works now.
  func noteLoss(of count: Int, _ message: String) {
    total.add(count, ordering: .relaxed)
    Diagnostics.report(.writeFailed, source: source, message)
  }

  /// Reports trouble, without counting a failure. Until the service works again, only the first
  /// trouble is reported.
  func noteTrouble(
    _ kind: Diagnostic.Kind = .writeFailed, _ message: @autoclosure () -> String
  ) {
    if !failing.exchange(true, ordering: .relaxed) {
      Diagnostics.report(kind, source: source, message())
    }
  }

  /// If the service was failing, reports its recovery, with the number of counted failures unless
  /// that is zero.
  ///
  /// - Parameter recovery: What the service can do again.
  func noteSuccess(_ recovery: String = recovery) {
    guard failing.exchange(false, ordering: .relaxed) else { return }
    Diagnostics.report(.recovered, source: source, Self.text(of: recovery, failed: count))
  }
}

/// The texts of reports.
extension Failures {
  static var recovery: String { "works again" }

  static func text(of recovery: String = recovery, failed: Int) -> String {
    failed == 0 ? "\(recovery)." : "\(recovery); \(failed.with("failure")) so far."
  }

  /// The report of a line that was lost because of the error.
  ///
  /// - Parameter full: Why there was no room, if the error is that of a full buffer or pipe.
  static func text(ofLoss error: SystemError, full: @autoclosure () -> String) -> String {
    "\(error.isFull ? full() : "cannot write: \(error)"). Lines are lost until writing works again."
  }
}
