// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A caller that waits for the first of several answers.
final class FirstAnswer<R: Sendable, Failure: Error>: Sendable {
  private let caller: Guarded<CheckedContinuation<Result<R, Failure>, Never>?>

  init(_ caller: CheckedContinuation<Result<R, Failure>, Never>) { self.caller = Guarded(caller) }

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
  /// If time is frozen, the wait has no limit.
  ///
  /// - Parameters:
  ///   - limit: The longest wait.
  ///   - name: The name of the task that calls the service, for example in a report of a deadlock.
  ///   - late: The error to throw after the limit.
  ///   - accept: Gets a result that the service returns after the limit. An error that it throws
  ///     after the limit is dropped.
  ///   - ask: Calls the service.
  static func wait(
    within limit: Duration, for name: String, late: Failure,
    accept: @escaping @Sendable (R) async -> Void = { _ in },
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
        if !first.give(answer), case .success(let result) = answer { await accept(result) }
      }
    }
    return try result.get()
  }
}
