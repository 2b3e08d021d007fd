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
