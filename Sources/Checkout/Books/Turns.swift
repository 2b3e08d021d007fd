// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// Lets callers with the same name proceed one at a time, in the order of their arrival. Callers
/// with different names do not wait for each other.
final class Turns: Sendable {
  /// The waiting callers by name, in the order of their arrival. A name is present as long as the
  /// closure of a caller with this name runs.
  private let waiting = Guarded<[String: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits for the caller's turn, and runs `body`. A caller that is cancelled waits nevertheless.
  func take<R, Failure: Error>(
    _ name: String, _ body: () async throws(Failure) -> R
  ) async throws(Failure) -> R {
    await withCheckedContinuation { continuation in
      let isFree = waiting.withLock { waiting in
        if waiting[name]?.append(continuation) != nil { return false }
        waiting[name] = []
        return true
      }
      if isFree { continuation.resume() }
    }
    defer {
      let next: CheckedContinuation<Void, Never>? = waiting.withLock { waiting in
        if waiting[name]?.isEmpty == false { return waiting[name]?.removeFirst() }
        waiting[name] = nil
        return nil
      }
      next?.resume()
    }
    return try await body()
  }
}
