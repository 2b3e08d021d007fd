import Ambient
import Dispatch

/// Lets the program wait for its reports: at the end of a program, a busy machine may have no time
/// to look up names.
final class AwaitedDiagnostics: Diagnostics, @unchecked Sendable {
  private let written = DispatchSemaphore(value: 0)

  override func report(_ diagnostic: Diagnostic) {
    super.report(diagnostic)
    written.signal()
  }

  /// Waits for one more report.
  func wait() { precondition(written.wait(timeout: .now() + 300) == .success, "no report") }
}
