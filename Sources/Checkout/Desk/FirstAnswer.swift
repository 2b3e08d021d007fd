internal import Ambient

/// Resumes a waiting caller with the first answer, and drops later answers.
final class FirstAnswer<R: Sendable>: Sendable {
  private let caller: Guarded<CheckedContinuation<Result<R, PaymentError>, Never>?>

  init(_ caller: CheckedContinuation<Result<R, PaymentError>, Never>) {
    self.caller = Guarded(caller)
  }

  /// Whether no answer has arrived yet.
  var isOpen: Bool { caller.withLock { $0 != nil } }

  /// Resumes the caller with the first answer, and drops later ones. Returns whether `answer` was
  /// the first.
  @discardableResult
  func give(_ answer: Result<R, PaymentError>) -> Bool {
    guard let caller = caller.withLock({ $0.take() }) else { return false }
    caller.resume(returning: answer)
    return true
  }
}
