internal import Ambient

/// Resumes a waiting caller with the first answer, and drops later answers.
final class FirstAnswer<R: Sendable, Failure: Error>: Sendable {
  private let caller: Guarded<CheckedContinuation<Result<R, Failure>, Never>?>

  init(_ caller: CheckedContinuation<Result<R, Failure>, Never>) { self.caller = Guarded(caller) }

  /// Whether no answer has arrived yet.
  var isOpen: Bool { caller.withLock { $0 != nil } }

  /// Resumes the caller with the first answer, and drops later ones. Returns whether `answer` was
  /// the first.
  @discardableResult
  func give(_ answer: Result<R, Failure>) -> Bool {
    guard let caller = caller.withLock({ $0.take() }) else { return false }
    caller.resume(returning: answer)
    return true
  }

  /// Waits for the answer of a service, but at most for `limit`.
  ///
  /// Neither the end of that time nor a cancellation of the caller cancels the call to the service.
  /// Where time stands still, the wait has no limit.
  ///
  /// - Parameters:
  ///   - limit: The longest wait.
  ///   - name: The name of the call, for reports.
  ///   - late: The error to throw if the service has not answered in time.
  ///   - ended: Called when the service has answered: with the answer if it came too late for the
  ///     caller, otherwise with nil.
  ///   - ask: Calls the service.
  static func wait(
    within limit: Duration, for name: String, late: Failure,
    ended: @escaping @Sendable (Result<R, Failure>?) async -> Void = { _ in },
    _ ask: @escaping @Sendable () async throws(Failure) -> R
  ) async throws(Failure) -> R {
    let result: Result<R, Failure> = await withCheckedContinuation { continuation in
      let first = FirstAnswer(continuation)
      let timer = Time.task(name: "limit of a \(name)") {
        try await Time.sleep(for: limit)
        first.give(.failure(late))
      }
      Time.task(name: name) {
        let answer: Result<R, Failure>
        do throws(Failure) { answer = .success(try await ask()) } catch {
          answer = .failure(error)
        }
        timer.cancel()
        if first.isOpen { await ended(nil) }
        if !first.give(answer) { await ended(answer) }
      }
    }
    return try result.get()
  }
}
