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
