internal import Synchronization

/// How deep a thread is in calls of logs that come from within calls of logs.
///
/// A description may log, and so may a handler. One that logs what it describes would never end.
enum LogNesting {
  static let limit = 8

  private static let dropped = Atomic<Int>(0)
  private static let isReported = Atomic<Bool>(false)

  /// How many records were dropped because they were too deep.
  static var droppedRecords: Int { dropped.load(ordering: .relaxed) }

  /// Calls `body`, unless this thread is too deep already.
  @inline(__always)
  static func descend(_ body: (LogThread?) -> Void) {
    LogThread.withCurrent { thread in
      guard let thread else { return body(nil) }
      guard thread.depth < limit else { return drop() }
      thread.depth += 1
      body(thread)
      thread.depth -= 1
    }
  }

  @inline(never)
  private static func drop() {
    dropped.add(1, ordering: .relaxed)
    guard !isReported.exchange(true, ordering: .relaxed) else { return }
    Diagnostics.report(
      Diagnostic(
        .recursion, source: "Log",
        """
        a record was dropped: it was logged while making or writing another one, \(limit) deep. \
        Look for a description or a handler that logs itself.
        """))
  }
}
