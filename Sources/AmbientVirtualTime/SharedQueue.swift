// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Synchronization

/// A queue that scopes of virtual time share with other code, and that runs their jobs.
enum SharedQueue: String {
  case pool = "the concurrency pool"
  case mainQueue = "the main queue"

  private static let timesPoolServed = Atomic<Int>(0)
  private static let timesMainQueueServed = Atomic<Int>(0)

  /// Records that the queue has run code of a scope, or code that opens one.
  func noteServed() {
    switch self {
    case .pool: Self.timesPoolServed.wrappingAdd(1, ordering: .relaxed)
    case .mainQueue: Self.timesMainQueueServed.wrappingAdd(1, ordering: .relaxed)
    }
  }

  typealias Counts = (pool: Int, mainQueue: Int)

  /// How often each queue has served scopes, in the whole process.
  static var timesServed: Counts {
    (timesPoolServed.load(ordering: .relaxed), timesMainQueueServed.load(ordering: .relaxed))
  }
}

/// Finds out whether a queue that is shared with other code runs its jobs. A question is itself a
/// job, so its answer proves that the jobs queued before the question were started.
///
/// Only one question is queued at a time, since questions would pile up in a queue that is stuck.
struct QueueProbe {
  private(set) var answered: UInt64 = 0
  private var wanted: UInt64 = 0
  private var isOut = false

  /// Returns whether to send the question now: false while an earlier one is unanswered. When that
  /// one is answered, `answer` returns the latest question.
  mutating func ask(_ question: UInt64) -> Bool {
    wanted = question
    return isOut.turnOn()
  }

  /// Records that the question was answered. Returns the next question to send, if any.
  mutating func answer(_ question: UInt64) -> UInt64? {
    answered = question
    isOut = wanted > question
    return isOut ? wanted : nil
  }
}
