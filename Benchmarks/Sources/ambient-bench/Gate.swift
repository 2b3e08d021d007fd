// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// Lets nobody pass before all are there, so that threads work at the same time.
///
/// It blocks a thread on purpose: tasks that yielded could take turns on one.
final class Gate: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  func pass() {
    missing.subtract(1, ordering: .relaxed)
    while missing.load(ordering: .relaxed) > 0 { sched_yield() }
  }
}
