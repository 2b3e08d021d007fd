// SPDX-License-Identifier: Apache-2.0

internal import Ambient

/// A bell that wakes the one task that waits for it. If it rings while no task waits, the next wait
/// ends at once.
final class Bell: Sendable {
  private struct State {
    var isRung = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Guarded(State())

  func ring() { endWait(isRing: true) }

  private func endWait(isRing: Bool) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state.waiter = nil }
      if isRing { state.isRung = state.waiter == nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits until the bell rings or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isRung || Task.isCancelled {
            state.isRung = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      endWait(isRing: false)
    }
  }

  /// Waits until the bell rings, for at most `duration`. With frozen time, the wait has no limit.
  func wait(atMost duration: Duration) async {
    guard duration > .zero else { return }
    try? await Time.timeout(after: duration) { await self.wait() }
  }
}
