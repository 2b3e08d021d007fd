internal import Synchronization

/// A queue that scopes of virtual time share with other code, and that runs their jobs.
enum SharedQueue: String, CaseIterable, CustomStringConvertible {
  case pool = "the concurrency pool"
  case mainQueue = "the main queue"

  var description: String { rawValue }

  private static let timesPoolServed = Atomic<Int>(0)
  private static let timesMainQueueServed = Atomic<Int>(0)

  /// Records that the queue has given a thread to a scope, or to code that opens one.
  func noteServed() {
    switch self {
    case .pool: Self.timesPoolServed.wrappingAdd(1, ordering: .relaxed)
    case .mainQueue: Self.timesMainQueueServed.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// How often the queue has served scopes, in the whole process.
  var timesServed: Int {
    switch self {
    case .pool: Self.timesPoolServed.load(ordering: .relaxed)
    case .mainQueue: Self.timesMainQueueServed.load(ordering: .relaxed)
    }
  }
}

/// Decides, at each wake-up of ``ScopeWatch``, whether a scope that waits for a shared queue is
/// reported.
///
/// It is reported if the queue has served no scope for a minute. A queue that serves others is only
/// busy, as when thousands of tests start at once, and serves the scope in its turn.
struct Starvation {
  /// The number of successive wake-ups before which the queue has served no scope.
  private struct Silence {
    private var timesServed = 0
    private var wakeUps = 0

    var isLong: Bool { wakeUps >= ScopeWatch.wakeUps(.seconds(60)) }

    mutating func look(_ timesServed: Int) {
      wakeUps = timesServed == self.timesServed ? wakeUps + 1 : 0
      self.timesServed = timesServed
    }
  }

  private var silences: [SharedQueue: Silence] = [:]
  private var hasReported = false

  /// Returns the index of the scope to report, if any. After a report, there is no other until no
  /// scope is starved.
  ///
  /// - Parameters:
  ///   - starved: The queue that each open scope has waited for long; nil for any other scope.
  ///   - timesServed: How often a queue has served scopes.
  mutating func look(
    _ starved: [SharedQueue?], timesServed: (SharedQueue) -> Int = \.timesServed
  ) -> Int? {
    for queue in SharedQueue.allCases {
      silences[queue, default: Silence()].look(timesServed(queue))
    }
    guard starved.contains(where: { $0 != nil }) else {
      hasReported = false
      return nil
    }
    let blocked = starved.firstIndex { $0.flatMap { silences[$0] }?.isLong == true }
    return blocked != nil && hasReported.turnOn() ? blocked : nil
  }
}
