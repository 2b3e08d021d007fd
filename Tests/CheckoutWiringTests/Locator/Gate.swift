// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Testing

/// Lets the first visitors pass when they are all there; later ones pass at once.
///
/// A visitor blocks its thread, so it comes on one of its own: those of tasks are few, and shared.
final class Gate: Sendable {
  private let arrived = Counter()
  private let opened = DispatchSemaphore(value: 0)
  private let expected: Int

  init(_ expected: Int) { self.expected = expected }

  func pass() {
    let place = arrived.next()
    guard place <= expected else { return }
    if place == expected {
      for _ in 1..<expected { opened.signal() }
    } else {
      let result = opened.wait(timeout: .now() + 60)
      #expect(result == .success, "only \(arrived.value) of \(expected) came")
    }
  }

  static func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }
}
