/// Finds out whether a queue that other code shares finishes its earlier jobs.
///
/// Only one question is queued at a time: in a queue that is not served, questions would pile up.
struct Probe {
  private(set) var answered: UInt64 = 0
  private var wanted: UInt64 = 0
  private var isOut = false

  /// Whether to send the question now; else it is sent when the earlier one is answered.
  mutating func ask(_ question: UInt64) -> Bool {
    wanted = question
    defer { isOut = true }
    return !isOut
  }

  /// Records the answer; returns the next question to send, if any.
  mutating func answer(_ question: UInt64) -> UInt64? {
    answered = question
    isOut = wanted > question
    return isOut ? wanted : nil
  }
}
